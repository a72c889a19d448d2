// `svc sandbox messages`
import type { Group } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'What the sandbox would have sent: captured messages of every channel',
  commands: { list, get },
};
