import type { Group } from '../../cli/command.ts';
import { group as clock } from './clock/index.ts';
import { exec } from './exec.ts';
import { exportState } from './export.ts';
import { group as faults } from './faults/index.ts';
import { group as messages } from './messages/index.ts';
import { open } from './open.ts';
import { pull } from './pull.ts';
import { requests } from './requests.ts';
import { reset } from './reset.ts';
import { seed } from './seed.ts';
import { group as snapshot } from './snapshot/index.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

export const group: Group = {
  summary: 'Run a local emulator of the service',
  details:
    'The sandbox needs no account, follows the rules of the service and, by default, listens only on loopback. It stores its data in a folder or in memory. `svc sandbox start` creates the profile `sandbox`. The other commands use the sandbox selected by --profile, SVC_PROFILE or SVC_BASE_URL. By default, they use the current profile if it is a sandbox, or else the profile `sandbox`. They fail if the selected service is not a sandbox.',
  commands: {
    start,
    exec,
    status,
    stop,
    reset,
    open,
    clock,
    messages,
    requests,
    faults,
    snapshot,
    seed,
    export: exportState,
    pull,
  },
};
