import type { Group } from '../../cli/command.ts';
import { audit } from './audit.ts';
import { explain } from './explain.ts';
import { exportActivity } from './export.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { stats } from './stats.ts';

export const group: Group = {
  summary: 'Show what happened to triggered events: one item per subscriber, with its jobs',
  commands: { list, get, explain, stats, audit, export: exportActivity },
};
