import type { Group } from '../../cli/command.ts';
import { check } from './check.ts';

export const group: Group = {
  summary: 'Find out what to do before the server is upgraded',
  commands: { check },
};
