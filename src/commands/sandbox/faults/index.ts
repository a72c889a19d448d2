import type { Group } from '../../../cli/command.ts';
import { clear } from './clear.ts';
import { set } from './set.ts';
import { show } from './show.ts';

export const group: Group = {
  summary: 'Inject faults to test how a program handles them',
  details: 'Faults do not affect the control routes of the sandbox, such as its status and clock.',
  commands: { set, show, clear },
};
