// `svc workflows`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { step } from './step.ts';

export const group: Group = {
  summary: 'List and show workflows and their steps',
  details: 'A workflow defines the steps of a notification. svc does not create or edit workflows.',
  commands: { list, get, step },
};
