// Responses that a later version of the service may send: unknown enum values, unknown fields, nulls and long numbers.
// All read commands work with them, and JSON output contains them unchanged.
import { LosslessNumber, parse } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { type Change, openFutureService } from '../support/future-api.ts';
import { openNetworkRig } from '../support/network-rig.ts';

const formats = ['table', 'tsv', 'json', 'csv', 'yaml'];

/** A command line, and the field of the response that contains its items. */
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

/** Parses JSON without losing digits of numbers. */
const parseLossless = (json: string) =>
  parse(json, undefined, (digits) => new LosslessNumber(digits));

describe.each<Change>(['enums', 'nulls', 'inner nulls'])(
  'a response with new fields and %s',
  (change) => {
    it.each(reads)(
      'works in every format of `svc %s`, and JSON contains all of it',
      async (line, items) => {
        const home = openNetworkRig();
        const { env, responses, seen } = await openFutureService(change);
        const results = await Promise.all(
          formats.map((format) =>
            home.svc([...line.split(' '), '-o', format, '--color', 'always', '--reveal'], { env }),
          ),
        );
        expect(results.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
          formats.map(() => ({ code: 0, stderr: '' })),
        );
        for (const { stdout } of results)
          expect(stdout.trim().split('\n').length).toBeGreaterThan(1);
        const response = parseLossless(await responses.read(seen[0]?.target ?? '', change));
        const expected = items ? (response as Record<string, unknown>)[items] : response;
        const printed = parseLossless(results[formats.indexOf('json')]?.stdout ?? '');
        expect(
          line.startsWith('activity get') ? (printed as { items: unknown }).items : printed,
        ).toEqual(expected);
      },
    );
  },
);
