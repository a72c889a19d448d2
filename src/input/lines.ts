// One record a line: NDJSON and lists of ids. Blank lines are skipped; a line over 1 MiB is a record with an
// error, and never held whole.
import { type Block, chunkRecords, createHold, lineEnds, readable, recordLimit } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import type { InputRecord, RecordPlace } from './records.ts';

/** The record that a line is. */
export type LineReader = (text: string, place: RecordPlace) => InputRecord;

/** The beginning of a line whose end has not come within 1 MiB. */
interface Overlong {
  start: number;
  raw: string;
}

const shown = 1000;

export async function* readLines(
  { stream, offset }: ByteSource,
  skip: number,
  recordOf: LineReader,
): AsyncGenerator<InputRecord[]> {
  const hold = createHold(offset);
  let line = 0;
  let row = 0;
  let overlong: Overlong | undefined;

  function* recordsIn(block: Block): Generator<InputRecord[]> {
    const { latin } = block;
    const ends = lineEnds(latin);
    let records: InputRecord[] = [];
    for (let from = 0, stop = 0; from < latin.length || overlong; from = ends.after(stop)) {
      stop = ends.stop(from);
      line += 1;
      if (!overlong && isBlank(latin, from, stop)) continue;
      row += 1;
      const begun = overlong;
      overlong = undefined;
      if (row <= skip) continue;
      const start = begun?.start ?? block.offset + from;
      const place = { row, line, start, end: block.offset + stop };
      records.push(begun ? tooLong(begun.raw, place) : lineRecord(block, from, stop, place));
      if (records.length === chunkRecords) {
        yield records;
        records = [];
      }
    }
    if (records.length > 0) yield records;
  }

  const lineRecord = (block: Block, from: number, stop: number, place: RecordPlace) => {
    if (stop - from > recordLimit)
      return tooLong(readable(block.latin.slice(from, from + shown)), place);
    const text = block.textOf(from, stop);
    if (text !== undefined) return recordOf(text, place);
    return { ...place, raw: block.latin.slice(from, stop), error: 'is not valid UTF-8' };
  };

  for await (const bytes of stream) {
    const block = hold.add(bytes);
    if (block) yield* recordsIn(block);
    if (hold.overflows()) {
      const begun = hold.rest();
      overlong ??= { start: begun.offset, raw: readable(begun.latin.slice(0, shown)) };
    }
  }
  yield* recordsIn(hold.rest());
}

const tooLong = (raw: string, place: RecordPlace): InputRecord => ({
  ...place,
  raw,
  error: 'is longer than 1 MiB',
});

function isBlank(latin: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) {
    const code = latin.charCodeAt(at);
    if (code !== 32 && (code < 9 || code > 13)) return false;
  }
  return true;
}
