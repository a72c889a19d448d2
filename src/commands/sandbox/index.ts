// `svc sandbox`
import type { Group } from '../../cli/command.ts';
import { group as clock } from './clock/index.ts';
import { exportState } from './export.ts';
import { group as faults } from './faults/index.ts';
import { group as messages } from './messages/index.ts';
import { reset } from './reset.ts';
import { seed } from './seed.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

export const group: Group = {
  summary: 'The sandbox is the whole service on this machine: no account, the same rules',
  details:
    'It listens on loopback alone and keeps what it is told in a folder, or in memory. Starting it makes the profile `sandbox`. The other commands mean the profile that holds when it is a sandbox, else `sandbox`, or the only sandbox there is; --profile names another. Whoever outgrows it changes the profile, not the commands.',
  commands: { start, status, stop, reset, clock, messages, faults, seed, export: exportState },
};
