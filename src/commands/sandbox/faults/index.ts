// `svc sandbox faults`
import type { Group } from '../../../cli/command.ts';
import { clear } from './clear.ts';
import { set } from './set.ts';
import { show } from './show.ts';

export const group: Group = {
  summary: 'What goes wrong on purpose, to see how a program copes',
  details: 'Routes of the sandbox itself, such as its status and its clock, meet no faults.',
  commands: { set, show, clear },
};
