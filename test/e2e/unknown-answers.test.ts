// Answers that a later version of the service may give: unknown words, unknown fields, nulls and long numbers
// break no read, and programs get all of them, digit by digit.
import { LosslessNumber, parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { openHome } from '../support/built.ts';
import { type Change, openFutureService } from '../support/future-api.ts';

const formats = ['table', 'tsv', 'json', 'csv', 'yaml'];

/** A line, and where in the answer its items are. */
const reads: [line: string, items?: 'data' | 'workflows'][] = [
  ['topics list', 'data'],
  ['topics get announcements'],
  ['contexts list', 'data'],
  ['contexts get tenant org-acme'],
  ['workflows list', 'workflows'],
  ['workflows get welcome'],
  ['workflows step welcome welcome-email'],
  ['environments list'],
  ['activity list', 'data'],
  ['activity get txn_read', 'data'],
  ['inbox list u1', 'data'],
  ['subscribers preferences get u1'],
  ['subscribers preferences get u4'],
];

/** Every number as its digits. */
const withDigits = (json: string) => parse(json, undefined, (digits) => new LosslessNumber(digits));

describe.each<Change>(['enums', 'nulls', 'inner nulls'])(
  'an answer with new fields and %s',
  (change) => {
    it.each(reads)('breaks no form of `svc %s`, and JSON has all of it', async (line, items) => {
      const home = openHome();
      const { env, responses, seen } = await openFutureService(change);
      const ended = await Promise.all(
        formats.map((format) =>
          home.svc([...line.split(' '), '-o', format, '--color', 'always', '--reveal'], { env }),
        ),
      );
      expect(ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
        formats.map(() => ({ code: 0, stderr: '' })),
      );
      for (const { stdout } of ended) expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
      const answer = withDigits(await responses.read(seen[0]?.target ?? '', change));
      const whole = items ? (answer as Record<string, unknown>)[items] : answer;
      const printed = withDigits(ended[formats.indexOf('json')]?.stdout ?? '');
      expect(
        line.startsWith('activity get') ? (printed as { items: unknown }).items : printed,
      ).toEqual(whole);
    });
  },
);
