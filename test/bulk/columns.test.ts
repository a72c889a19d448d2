// The fast path from cells to JSON: its results equal those of the slow path through the schema.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createBodyWriter } from '../../src/bulk/engine/body-writer.ts';
import type { ColumnMap } from '../../src/bulk/operations/columns.ts';
import { compileRowEncoder } from '../../src/bulk/operations/row-encoder.ts';
import { mapCells } from '../../src/bulk/operations/row-mapper.ts';
import { subscriberRow } from '../../src/service/schemas/subscribers.ts';
import { encode, toRecord } from './encode-row.ts';

const columns: ColumnMap = [
  { index: 0, field: 'subscriberId', place: 'field' },
  { index: 1, field: 'email', place: 'field' },
  { index: 2, field: 'locale', place: 'field' },
  { index: 3, field: 'timezone', place: 'field' },
  { index: 4, field: 'firstName', place: 'field' },
  { index: 5, field: 'plan', place: 'data' },
  { index: 6, field: '__proto__', place: 'data' },
  { index: 7, field: 'a.b', place: 'data', path: ['a', 'b'] },
  { index: 8, field: 'c.d.e', place: 'data', path: ['c', 'd', 'e'] },
  { index: 9, field: 'a.c', place: 'data', path: ['a', 'c'] },
];

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'é',
    '"',
    '\\',
    '\n',
    '\u0000',
    '\u2028',
    '\ud800',
    '😀',
    '007',
    '1e21',
    '1.5',
    'true',
    'null',
    '-0',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const row = fc.tuple(
  text,
  fc.oneof(text, fc.constantFrom('a@example.com', 'a@b', 'ä@bücher.example', 'a..b@c.de')),
  fc.oneof(text, fc.constantFrom('en', 'en-US', 'zh-Hans-CN', 'english')),
  fc.oneof(text, fc.constantFrom('Europe/Berlin', 'UTC', 'Mars/Base')),
  ...[text, text, text, text, text, text],
);

it.each([
  { infer: false, clearEmpty: false },
  { infer: true, clearEmpty: false },
  { infer: false, clearEmpty: true },
])('the fast and the slow path produce the same JSON with %j', (choices) => {
  const short = compileRowEncoder(columns, choices);
  fc.assert(
    fc.property(row, (given) => {
      // Without lone surrogates, which a file in UTF-8 cannot contain.
      const cells = toRecord(given).cells?.() ?? [];
      const item = encode(short, cells);
      if (!item) return;
      const value = mapCells(cells, columns, choices);
      expect(subscriberRow.safeParse(value).success).toBe(true);
      expect(item.id).toBe(value.subscriberId);
      expect(JSON.parse(item.json)).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed: 20260115, numRuns: 1_000 },
  );
});

it('the fast path handles plain rows', () => {
  const short = compileRowEncoder(columns, { infer: false, clearEmpty: false });
  const cells = ['u1', 'ada@example.com', 'en', 'Europe/Berlin', 'Zoë "Z"', 'pro', ''];
  expect(encode(short, cells)?.json).toBe(
    '{"subscriberId":"u1","email":"ada@example.com","locale":"en","timezone":"Europe/Berlin","firstName":"Zoë \\"Z\\"","data":{"plan":"pro"}}',
  );
});

it.each([
  [false, { subscriberId: 'u1' }, '{"subscriberId":"u1"}'],
  [true, { subscriberId: 'u1', email: null, locale: null }, undefined],
])('empty cells are handled with clearEmpty %s', (clearEmpty, value, short) => {
  const choices = { infer: false, clearEmpty };
  const [id, email, locale] = columns;
  const used = [id, email, locale].filter((column) => column !== undefined);
  expect(mapCells(['u1', '', ''], used, choices)).toEqual(value);
  expect(encode(compileRowEncoder(used, choices), ['u1', '', ''])?.json).toBe(short);
});

it('a column that fills several fields is copied into each of them', () => {
  const fields = ['firstName', 'lastName', 'avatar', 'locale'];
  const several: ColumnMap = [
    { index: 0, field: 'subscriberId', place: 'field' },
    ...fields.map((field) => ({ index: 1, field, place: 'data' as const })),
  ];
  const encodeRow = compileRowEncoder(several, { infer: false, clearEmpty: false });
  const text = `a${'\u0001'.repeat(8_000)}z`;
  const writer = createBodyWriter({ open: '[', close: ']' });
  // More than a buffer of the writer, which must have room for the whole row.
  for (let row = 0; row < 20; row += 1) {
    encodeRow(toRecord(['u1', text]), writer);
    writer.keepItem({ bodyStart: 0, bodyEnd: 0 });
  }
  const data = Object.fromEntries(fields.map((field) => [field, text]));
  const expected = { subscriberId: 'u1', data };
  expect(JSON.parse(writer.endBody().toString())).toEqual(Array(20).fill(expected));
});
