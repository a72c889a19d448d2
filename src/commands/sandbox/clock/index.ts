import type { Group } from '../../../cli/command.ts';
import { advance } from './advance.ts';
import { set } from './set.ts';
import { show } from './show.ts';

export const group: Group = {
  summary: 'Show and move the time in the sandbox',
  details:
    'The sandbox has its own clock: offset from the clock of this machine, or frozen if the sandbox was started with --frozen. `advance` and `set` run the digests and delays that come due, in order, before they return. `svc sandbox clock set now` sets the clock to the time of this machine. Durations such as `--since 2h` count from the time in the sandbox, if the profile of the sandbox is selected.',
  commands: { show, advance, set },
};
