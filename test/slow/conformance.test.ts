import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { dialect311 } from '../../src/sandbox/store/dialect.ts';
import type { Mode } from '../../src/service/mode.ts';
import { sandboxVersions } from '../../src/service/versions.ts';
import { countByArea, type Result } from '../support/recorded/agreement.ts';
import { compare } from '../support/recorded/compare.ts';
import { playCorpora } from '../support/recorded/corpora.ts';
import { agreementFiles, readCorpus, recordedFolder } from '../support/recorded/corpus.ts';
import { isObject } from '../support/recorded/placeholders.ts';
import { aligned, type Played, play } from '../support/recorded/play.ts';
import { startRecordedState } from '../support/recorded/sandbox.ts';
import type { Received } from '../support/recorded/send.ts';

// `npm run conformance` prints the differences; `npm run conformance -- --write` stores better numbers.
describe.each(sandboxVersions)('responses agree with the recorded ones of %s', (service) => {
  const expected: Record<string, object> = JSON.parse(
    readFileSync(agreementFiles[service], 'utf8'),
  );
  let results: Result[];
  beforeAll(async () => {
    results = await playCorpora(service);
  }, 60_000);

  test.each(Object.entries(expected))('on %s', (area, numbers) => {
    const differing = results.filter((result) => result.area === area && !result.whole);
    const texts = differing.map(({ name, differences }) => `${name}: ${differences[0]}`);
    expect(countByArea(results)[area], texts.join('\n')).toEqual(numbers);
  });
});

interface Row {
  /** A row of the differences between the specification and the service. */
  topic: string;
  /** The member of a dialect that decides it. */
  member: string;
  exchanges?: string[];
  /** A regular expression of the path in the response, with `[]` for any position. */
  path: string;
}

const rows: Row[] = JSON.parse(readFileSync(path.join(recordedFolder, 'modes.json'), 'utf8'));

async function playIn(mode: Mode): Promise<Played[]> {
  const sandbox = await startRecordedState({ mode });
  const played = await play(sandbox, readCorpus());
  await sandbox.close();
  return played;
}

/** A response without what differs in every run: identifiers of environments, and the remaining time of a delay. */
const comparable = ({ status, headers, body }: Received): unknown =>
  JSON.parse(
    JSON.stringify({ status, headers, ...(isObject(body) ? body : { body }) })
      .replace(/"identifier":"[0-9a-f]{12}"/g, '"identifier":"<any>"')
      .replace(/\\"delay\\":\d+/g, '\\"delay\\":0'),
  );

test('the modes differ only where a member of a dialect says so', async () => {
  const [service, specification] = await Promise.all([playIn('novu'), playIn('specification')]);
  const used = new Set<Row>();
  const unknown = service.flatMap(({ exchange: { area, name }, received }, index) => {
    const expected = comparable(received);
    const other = specification[index]?.received ?? { status: 0, headers: {}, body: null };
    // The specification lists more workflows.
    const alignedBody = aligned(
      expected,
      comparable(other),
      'data.workflows',
      'workflow.identifier',
    );
    return compare(expected, alignedBody).flatMap(({ path: at, text }) => {
      const row = rows.find(
        (candidate) =>
          (candidate.exchanges?.includes(name) ?? true) && new RegExp(candidate.path).test(at),
      );
      if (row) used.add(row);
      return row ? [] : [`${area} ${name}: ${text}`];
    });
  });
  expect(unknown).toEqual([]);
  expect(rows.filter((row) => !used.has(row)).map(({ topic }) => topic)).toEqual([]);
  expect(Object.keys(dialect311)).toEqual(expect.arrayContaining(rows.map(({ member }) => member)));
}, 60_000);
