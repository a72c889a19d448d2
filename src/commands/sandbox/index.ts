import type { Group } from '../../cli/command.ts';
import { advance as advanceClock } from './clock/advance.ts';
import { set as setClock } from './clock/set.ts';
import { show as showClock } from './clock/show.ts';
import { exec } from './exec.ts';
import { exportState } from './export.ts';
import { clear as clearFaults } from './faults/clear.ts';
import { set as setFaults } from './faults/set.ts';
import { show as showFaults } from './faults/show.ts';
import { get as getMessage } from './messages/get.ts';
import { list as listMessages } from './messages/list.ts';
import { wait as waitForMessage } from './messages/wait.ts';
import { open } from './open.ts';
import { pull } from './pull.ts';
import { requests } from './requests.ts';
import { reset } from './reset.ts';
import { seed } from './seed.ts';
import {
  deleteSnapshot,
  list as listSnapshots,
  restore as restoreSnapshot,
  save as saveSnapshot,
} from './snapshot.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import { stop } from './stop.ts';

const clock: Group = {
  summary: 'Show and move the time in the sandbox',
  details:
    'The sandbox has its own clock: offset from the clock of this machine, or frozen if the sandbox was started with --frozen. `advance` and `set` run the digests and delays that come due, in order, before they return. `svc sandbox clock set now` sets the clock to the time of this machine. Durations such as `--since 2h` count from the time in the sandbox, if the profile of the sandbox is selected.',
  commands: { show: showClock, advance: advanceClock, set: setClock },
};

const faults: Group = {
  summary: 'Inject faults to test how a program handles them',
  details: 'Faults do not affect the control routes of the sandbox, such as its status and clock.',
  commands: { set: setFaults, show: showFaults, clear: clearFaults },
};

const messages: Group = {
  summary: 'Show the messages that the sandbox captured instead of sending',
  details:
    'The sandbox never delivers messages. A message to a subscriber without an address has the status warning and is shown as skipped. A message to an address in the domain .invalid has the status error and is shown as failed, so that you can test how scripts handle failed deliveries. A service would deliver only messages with the status sent.',
  commands: { list: listMessages, get: getMessage, wait: waitForMessage },
};

const snapshot: Group = {
  summary: 'Save the whole state of a sandbox, and return to it',
  details:
    'A snapshot has all data of the sandbox with its pending jobs, clock, faults and log of requests. Keys and sessions stay those of the running sandbox. The snapshots of a sandbox with a data folder are in that folder; others end with the sandbox.',
  commands: {
    save: saveSnapshot,
    restore: restoreSnapshot,
    list: listSnapshots,
    delete: deleteSnapshot,
  },
};

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
