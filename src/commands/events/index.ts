// `svc events`
import type { Group } from '../../cli/command.ts';
import { cancel } from './cancel.ts';
import { trigger } from './trigger.ts';

export const group: Group = {
  summary: 'Trigger workflows and cancel triggered events',
  commands: { trigger, cancel },
};
