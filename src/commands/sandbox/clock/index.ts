// `svc sandbox clock`
import type { Group } from '../../../cli/command.ts';
import { advance } from './advance.ts';
import { set } from './set.ts';
import { show } from './show.ts';

export const group: Group = {
  summary: 'The time in the sandbox: what it is, and moving it',
  details:
    'It runs ahead of or behind the time of this machine, or stands still when the sandbox was started with --frozen. Digests and delays that end in between are carried out in order before a command returns. `svc sandbox clock set now` goes back to the time of this machine, from which `svc activity list --since 2h` counts in any case.',
  commands: { show, advance, set },
};
