// `svc workflows`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { step } from './step.ts';

export const group: Group = {
  summary: 'A workflow defines the steps of a notification. These commands are read-only',
  commands: { list, get, step },
};
