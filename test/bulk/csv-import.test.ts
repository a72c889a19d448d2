// Property test: an import sends what csv-parse reads, for any table, quoting, chunk sizes and size of the requests.
import { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ColumnMap } from '../../src/bulk/operations/columns.ts';
import { mapCells } from '../../src/bulk/operations/row-mapper.ts';
import { createSubscriberSender } from '../../src/bulk/operations/subscribers.ts';
import { SvcError } from '../../src/core/errors.ts';
import { openRecords } from '../../src/input/records.ts';
import { subscriberRow } from '../../src/service/schemas/subscribers.ts';
import { split } from '../input/reading.ts';
import { created, runImport } from './run-import.ts';

const columns: ColumnMap = [
  { index: 0, field: 'plan', place: 'data' },
  { index: 1, field: 'subscriberId', place: 'field' },
  { index: 2, field: 'firstName', place: 'field' },
  { index: 3, field: 'email', place: 'field' },
  { index: 4, field: 'notes', place: 'data' },
];
const header = 'plan,id,name,email,notes';
const cells = { infer: false, clearEmpty: false };

const part = fc.constantFrom(
  ...['a', 'B7', ' ', ',', '"', '""', '\n', '\r\n', '\r', 'ë', '京', '🎉', '\\', '\0', '\u2028'],
  ...['********', '=1+1', 'x'.repeat(300)],
);
const text = fc.array(part, { maxLength: 4 }).map((parts) => parts.join(''));
const row = fc.record({
  plan: text,
  id: fc.oneof(fc.constantFrom('u1', 'u2', 'ü3', '007', 'a"b'), text),
  name: text,
  email: fc.constantFrom('', 'a@b.de', 'ä@bücher.example', 'no address', 'a@b.de\n'),
  notes: text,
  quoteAll: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n'),
});

const sizes = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 }),
  fc.constant([1_000_000]),
);

it('an import sends the rows that csv-parse reads', async () => {
  let sentRows = 0;
  const table = fc.array(row, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(
      table,
      sizes,
      fc.integer({ min: 1, max: 12 }),
      async (rows, chunkSizes, most) => {
        const lines = rows.map(({ quoteAll, lineEnd, ...members }) => {
          const written = Object.values(members).map((cell) =>
            quoteAll || /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
          );
          return written.join(',') + lineEnd;
        });
        const bytes = Buffer.from(`${header}\n${lines.join('')}`);
        const stdin = Readable.from(split(bytes, chunkSizes));
        const { chunks } = await openRecords({ file: '-', format: 'csv', delimiter: ',', stdin });
        const sender = createSubscriberSender({
          schema: subscriberRow,
          columns,
          dataRest: false,
          cells,
        });
        const accepted: unknown[] = [];
        const { rejected } = await runImport(
          [],
          (ids, _call, { body }) => {
            if (ids.length > most) throw new SvcError('refused', 'too large', { status: 413 });
            const { subscribers } = JSON.parse(Buffer.from(body ?? '').toString());
            accepted.push(...subscribers);
            return created(ids);
          },
          { sender, chunks },
        );
        const records: string[][] = parse(bytes, {
          from: 2,
          record_delimiter: ['\r\n', '\n', '\r'],
        });
        const filled = records.filter((record) => record.some((cell) => /[^\t-\r ]/.test(cell)));
        const values = filled.map((record) => mapCells(record, columns, cells));
        const valid = values.filter(
          (value) =>
            subscriberRow.safeParse(value).success &&
            !/[\0-\x1f\u2028]/.test(String(value.subscriberId)),
        );
        expect(accepted).toEqual(valid.map((value) => JSON.parse(JSON.stringify(value))));
        expect(rejected).toHaveLength(values.length - valid.length);
        sentRows += accepted.length;
      },
    ),
    { seed: 20_260_115, numRuns: 300 },
  );
  expect(sentRows).toBeGreaterThan(500);
});
