// `svc activity`
import type { Group } from '../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary:
    'Activity is what became of triggered events: one item for each subscriber, with its jobs',
  commands: { list, get },
};
