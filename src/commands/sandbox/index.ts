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
    'It listens on loopback alone and keeps its data in a folder, or in memory. Starting it makes the profile `sandbox`. The other commands use the sandbox that --profile, SVC_PROFILE or SVC_BASE_URL names; without them the current profile if it is a sandbox, else the profile `sandbox`. They refuse a service that is not a sandbox.',
  commands: { start, status, stop, reset, clock, messages, faults, seed, export: exportState },
};
