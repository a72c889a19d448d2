// Encodes rows of CSV cells with the fast path of imports.
import { createBodyWriter } from '../../src/bulk/engine/body-writer.ts';
import type { compileRowEncoder } from '../../src/bulk/operations/row-encoder.ts';
import { openBlock } from '../../src/input/blocks.ts';
import { createCellScanner } from '../../src/input/cell-bytes.ts';
import { createCsvRecords } from '../../src/input/csv-record.ts';
import { scanRecords } from '../../src/input/csv-scan.ts';
import type { InputRecord } from '../../src/input/records.ts';

/** Returns the record of a CSV row with these cells. */
export function toRecord(cells: readonly string[]): InputRecord {
  const text = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const cursor = { at: 0, line: 1, row: 1, width: cells.length, openQuoteLine: undefined };
  const options = {
    delimiter: ',',
    skip: 0,
    limit: 1e6,
    unclosedError: () => new Error('not closed'),
    createRecord: createCsvRecords(','),
    scanner: createCellScanner(','),
  };
  const [record] = scanRecords(openBlock(Buffer.from(text), 0), cursor, options, 1);
  if (!record) throw new Error(`no record: ${text}`);
  return record;
}

const writer = createBodyWriter({ open: '', close: '' });

/** Returns the id and the JSON of a row, or undefined if it must take the slow path. */
export function encode(encodeRow: ReturnType<typeof compileRowEncoder>, cells: readonly string[]) {
  const item = encodeRow(toRecord(cells), writer);
  if (!item) return undefined;
  writer.keepItem({ bodyStart: 0, bodyEnd: 0 });
  return { id: item.id, json: writer.endBody().toString() };
}
