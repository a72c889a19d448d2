// `svc sandbox messages`
import type { Group } from '../../../cli/command.ts';
import { get } from './get.ts';
import { list } from './list.ts';

export const group: Group = {
  summary: 'What the sandbox would have sent: captured messages of every channel',
  details:
    'Nothing leaves this machine. A message without an address is kept with a warning, and one to the domain .invalid with the error of a provider that refuses it, so that scripts can be tried on failures.',
  commands: { list, get },
};
