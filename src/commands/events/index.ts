import type { Group } from '../../cli/command.ts';
import { broadcast } from './broadcast.ts';
import { cancel } from './cancel.ts';
import { resend } from './resend.ts';
import { trigger } from './trigger.ts';

export const group: Group = {
  summary: 'Trigger workflows, also for every subscriber, resend and cancel events',
  commands: { trigger, broadcast, resend, cancel },
};
