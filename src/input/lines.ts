// One record per line: NDJSON and lists of ids. Blank lines are skipped. A line over 1 MiB becomes a record with an
// error and is never in memory as a whole.
import {
  type Block,
  createBlockReader,
  createLineEndFinder,
  decodeLatin1,
  recordLimit,
  recordsPerChunk,
} from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { invalidUtf8Error } from './encodings.ts';
import type { InputRecord, RecordPlace } from './record.ts';

export type LineReader = (text: string, place: RecordPlace) => InputRecord;

/** The start of a line over 1 MiB. */
interface OverlongLine {
  start: number;
  raw: string;
}

const maxRawLength = 1000;

export async function* readLines(
  { stream, offset }: ByteSource,
  skip: number,
  recordOf: LineReader,
): AsyncGenerator<InputRecord[]> {
  const blocks = createBlockReader(offset);
  let line = 0;
  let row = 0;
  let overlong: OverlongLine | undefined;

  function* recordsIn(block: Block): Generator<InputRecord[]> {
    const { latin } = block;
    const ends = createLineEndFinder(latin);
    let records: InputRecord[] = [];
    for (let from = 0, stop = 0; from < latin.length || overlong; from = ends.after(stop)) {
      stop = ends.stop(from);
      line += 1;
      if (!overlong && isBlank(latin, from, stop)) continue;
      row += 1;
      const longLine = overlong;
      overlong = undefined;
      if (row <= skip) continue;
      const start = longLine?.start ?? block.offset + from;
      const place = { row, line, start, end: block.offset + stop };
      records.push(
        longLine ? tooLongRecord(longLine.raw, place) : lineRecord(block, from, stop, place),
      );
      if (records.length === recordsPerChunk) {
        yield records;
        records = [];
      }
    }
    if (records.length > 0) yield records;
  }

  const lineRecord = (block: Block, from: number, stop: number, place: RecordPlace) => {
    if (stop - from > recordLimit)
      return tooLongRecord(decodeLatin1(block.latin.slice(from, from + maxRawLength)), place);
    const text = block.textOf(from, stop);
    if (text !== undefined) return recordOf(text, place);
    const raw = block.latin.slice(from, stop);
    return { ...place, raw, error: invalidUtf8Error(raw) };
  };

  for await (const bytes of stream) {
    const block = blocks.add(bytes);
    if (block) yield* recordsIn(block);
    if (blocks.overflows()) {
      const part = blocks.rest();
      overlong ??= { start: part.offset, raw: decodeLatin1(part.latin.slice(0, maxRawLength)) };
    }
  }
  yield* recordsIn(blocks.rest());
}

const tooLongRecord = (raw: string, place: RecordPlace): InputRecord => ({
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
