// The line of progress names what a run does, and its report what it did.
import { expect, it } from 'vitest';
import { openRig, type Rig, writeInput } from '../../support/rig.ts';
import { words } from '../../support/words.ts';
import { openActivity, send } from '../events/resend-rig.ts';

interface TestRun {
  past: string;
  line: string[];
  /** The file `rows`. */
  rows?: string;
  stdin?: string;
  code?: number;
  before?: (rig: Rig) => Promise<unknown>;
}

const runs: Record<string, TestRun> = {
  Syncing: {
    past: 'Synced',
    line: words`topics sync announcements rows --max-delete 100%`,
    rows: 'u1\n',
  },
  Subscribing: {
    past: 'Subscribed',
    line: words`topics subscribe announcements --file rows`,
    rows: 'u1\n',
  },
  Removing: {
    past: 'Removed',
    line: words`topics unsubscribe announcements --file rows`,
    rows: 'u1\n',
  },
  Erasing: { past: 'Erased', line: words`subscribers erase --file rows`, rows: 'u1\n' },
  Deleting: { past: 'Deleted', line: words`subscribers delete --file rows`, rows: 'u1\n' },
  Importing: {
    past: 'Imported',
    line: words`subscribers bulk-import rows`,
    rows: 'subscriberId\nu1\n',
  },
  'Importing credentials': {
    past: 'Updated',
    line: words`subscribers credentials import rows`,
    rows: 'subscriberId,provider,deviceTokens\nu1,fcm,t\n',
  },
  'Importing preferences': {
    past: 'Updated',
    line: words`subscribers preferences import rows`,
    rows: 'subscriberId,workflow,email\nu1,,off\n',
  },
  Triggering: {
    past: 'Triggered',
    line: words`events trigger welcome --recipients rows`,
    rows: 'subscriberId\nu1\n',
  },
  Cancelling: {
    past: 'Cancelled',
    line: words`events cancel --run last`,
    before: (rig) => send(rig, ['u1']),
  },
  Resending: {
    past: 'Resent',
    line: words`events resend --run last`,
    before: (rig) => {
      openActivity(rig, () => ['failed', 'failed']);
      return send(rig, ['u1']);
    },
  },
  Marking: {
    past: 'Marked',
    line: words`inbox mark u1 read -`,
    stdin: `${'a'.repeat(24)}\n`,
    code: 6,
  },
};

it.each(Object.keys(runs))('%s', async (verb) => {
  const rig = await openRig();
  const { line = [], rows = '', stdin = '', before, past, ...ended } = runs[verb] ?? {};
  await before?.(rig);
  writeInput(rig, 'rows', rows);
  rig.answerWrites({ status: 429, headers: { 'retry-after': '6' } });
  const { code, stdout, stderr } = await rig.svc([...line, '--yes'], {
    hasTimers: true,
    stdin,
    tty: 'stdout',
    columns: 200,
  });
  expect(stderr).toMatch(new RegExp(`^${verb} at http://sandbox.localhost: `, 'm'));
  expect(stdout).toMatch(new RegExp(`^${past} \\d+ of \\d+ rows? at `));
  expect({ code }).toEqual({ code: 0, ...ended });
});
