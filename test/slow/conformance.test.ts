import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { countByArea, judge, type Result } from '../support/recorded/agreement.ts';
import { readCorpus, recordedFolder } from '../support/recorded/corpus.ts';
import { findDifferences, play } from '../support/recorded/play.ts';
import { startRecordedState } from '../support/recorded/sandbox.ts';

// `npm run conformance` prints the differences; `npm run conformance -- --write` stores better numbers.
const expected: Record<string, object> = JSON.parse(
  readFileSync(path.join(recordedFolder, 'agreement.json'), 'utf8'),
);

describe('responses agree with the recorded ones', () => {
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

interface Row {
  /** A difference: in the specification; in the service. */
  topic: string;
  kind?: string;
  area?: string;
  exchanges?: string[];
  /** A regular expression of the path in the response, with `[]` for any position. */
  path: string;
}

const rows: Row[] = JSON.parse(readFileSync(path.join(recordedFolder, 'modes.json'), 'utf8'));

test('in the default mode, responses differ from the recorded ones only in known topics', async () => {
  const sandbox = await startRecordedState({ mode: 'specification' });
  const played = await play(sandbox, readCorpus());
  await sandbox.close();
  const used = new Set<Row>();
  const unknown = played
    .filter(({ exchange: { answer, spec } }) => answer !== undefined && spec === undefined)
    .flatMap((one) =>
      findDifferences(one).flatMap(({ kind, path: found, text }) => {
        const { area, name } = one.exchange;
        const row = rows.find(
          (candidate) =>
            (candidate.kind ?? kind) === kind &&
            (candidate.area ?? area) === area &&
            (candidate.exchanges?.includes(name) ?? true) &&
            new RegExp(candidate.path).test(found.replace(/\[\d+\]/g, '[]')),
        );
        if (row) used.add(row);
        return row ? [] : [`${area} ${name}: ${text}`];
      }),
    );
  expect(unknown).toEqual([]);
  expect(rows.filter((row) => !used.has(row)).map(({ topic }) => topic)).toEqual([]);
}, 60_000);
