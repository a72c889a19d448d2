// `svc workflows`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { step } from './step.ts';

export const group: Group = {
  summary: 'Workflows say which steps a notification takes; here they are read, not edited',
  commands: { list, get, step },
};
