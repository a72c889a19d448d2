import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { countByArea, judge, type Result } from '../support/recorded/agreement.ts';
import { readCorpus, recordedFolder } from '../support/recorded/corpus.ts';
import { play } from '../support/recorded/play.ts';
import { startRecordedState } from '../support/recorded/sandbox.ts';

// `npm run conformance` prints the differences; `npm run conformance -- --write` stores better numbers.
const expected: Record<string, object> = JSON.parse(
  readFileSync(path.join(recordedFolder, 'agreement.json'), 'utf8'),
);

describe('with --compat novu, responses agree with the recorded ones', () => {
  let results: Result[];
  beforeAll(async () => {
    const sandbox = await startRecordedState();
    results = judge(await play(sandbox, readCorpus()));
    await sandbox.close();
  }, 60_000);

  test.each(Object.entries(expected))('on %s', (area, numbers) => {
    const differing = results.filter((result) => result.area === area && !result.whole);
    const texts = differing.map(({ name, differences }) => `${name}: ${differences[0]}`);
    expect(countByArea(results)[area], texts.join('\n')).toEqual(numbers);
  });
});
