// `svc subscribers preferences`
import type { Group } from '../../../cli/command.ts';
import { get } from './get.ts';
import { update } from './update.ts';

export const group: Group = {
  summary: 'What a subscriber wants to get, by channel and by workflow, and when',
  commands: { get, update },
};
