// `svc events`
import type { Group } from '../../cli/command.ts';
import { cancel } from './cancel.ts';
import { trigger } from './trigger.ts';

export const group: Group = {
  summary: 'Events trigger workflows; pending jobs of an event can be cancelled',
  commands: { trigger, cancel },
};
