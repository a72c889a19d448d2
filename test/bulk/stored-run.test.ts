// Rejected rows of a stored run that are not in the rejects file yet, and runs that only validate.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeRun } from '../../src/bulk/journal/run-store.ts';
import { doneLine } from './run-folder.ts';
import { openStore, runsWith } from './stored-runs.ts';

const file = { path: '/u.csv', size: 1, mtimeMs: 1, digest: 'd' };

describe('rejected rows that are not published', () => {
  const read = (input: typeof file | null, isRunning: boolean, rejects: number) => {
    const line = doneLine(1, 2, { counts: { invalid: 2 }, rejects });
    const runs = runsWith({ runId: 'a', lines: [line], manifest: { file: input } });
    writeFileSync(path.join(runs, 'a', 'rejected-rows'), 'x'.repeat(rejects));
    if (isRunning) writeFileSync(path.join(runs, 'a', 'lock'), '{"pid":7}');
    return openStore(runs, (pid) => pid === 7).read('a');
  };

  it.each<[string, typeof file | null, boolean, number, boolean]>([
    ['of a run that can be resumed are published later', file, false, 4, true],
    ['of a running one are published later', null, true, 4, true],
    ['of one that cannot be resumed stay in its folder', null, false, 4, false],
    ['do not exist in a run without rejected rows', file, false, 0, false],
    ['do not exist in a running one without rejected rows', null, true, 0, false],
  ])('%s', (_name, input, isRunning, rejects, isLater) => {
    const run = read(input, isRunning, rejects);
    expect(run.hasUnpublishedRejects).toBe(isLater ? true : undefined);
    const isInFolder = run.manifest.rejects.endsWith('rejected-rows');
    expect(isInFolder).toBe(rejects > 0 && !isLater);
  });
});

it('a run with --validate-only is recognized, also with a damaged journal', () => {
  const host = { identity: undefined, isAlive: () => false };
  for (const validateOnly of [true, false]) {
    const more = { manifest: { options: validateOnly ? { validateOnly } : {} } };
    const runs = runsWith(
      { runId: 'a', lines: [], ...more },
      { runId: 'b', lines: ['{}\n'], ...more },
    );
    const descriptions = ['a', 'b'].map(
      (runId) => describeRun(path.join(runs, runId), host).validateOnly,
    );
    expect(descriptions).toEqual([validateOnly, validateOnly]);
  }
});
