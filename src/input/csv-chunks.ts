// CSV bytes → chunks of records. An incomplete record is kept until its end is read. A record over 1 MiB is not kept:
// its bytes are dropped up to its end.
import {
  type Block,
  createBlockReader,
  openBlock,
  recordsPerChunk,
  splitAtFirstLine,
} from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { createOverlongReader, type OverlongReader } from './csv-overlong.ts';
import { type Cursor, type ScanOptions, scanRecords } from './csv-scan.ts';
import type { InputRecord } from './record.ts';

/** The first chunk contains only the header. */
export async function* csvChunks(
  { stream, offset }: ByteSource,
  cursor: Cursor,
  options: ScanOptions,
): AsyncGenerator<InputRecord[]> {
  const blocks = createBlockReader(offset);
  let overlong: OverlongReader | undefined;

  /** Yields the records up to the end of the block, or up to a quote that is not closed in it. */
  function* recordsIn(block: Block): Generator<InputRecord[]> {
    cursor.at = 0;
    cursor.openQuoteLine = undefined;
    while (cursor.at < block.latin.length && cursor.openQuoteLine === undefined) {
      const records = scanRecords(block, cursor, options, cursor.row === 0 ? 1 : recordsPerChunk);
      if (records.length > 0) yield records;
    }
  }

  /**
   * Reads the kept bytes when they exceed the maximum record size. Returns the bytes after the record, or undefined if
   * it has not ended.
   */
  function* readOversized(): Generator<InputRecord[], Buffer | undefined> {
    const { bytes, offset: start } = blocks.rest();
    const reader = createOverlongReader({ ...options, start, line: cursor.line + 1 });
    const rest = reader.add(bytes);
    if (rest === undefined) {
      overlong = reader;
      return undefined;
    }
    yield* recordsIn(openBlock(bytes.subarray(0, bytes.length - rest.length), start));
    blocks.moveTo(reader.nextOffset());
    return rest;
  }

  for await (const chunk of splitAtFirstLine(stream)) {
    let bytes: Buffer | undefined = chunk;
    if (overlong) {
      bytes = overlong.add(chunk);
      if (bytes === undefined) continue;
      blocks.moveTo(overlong.nextOffset());
      yield finishOverlong(overlong, cursor, options);
      overlong = undefined;
    }
    while (bytes !== undefined) {
      const block = blocks.add(bytes);
      if (block) {
        yield* recordsIn(block);
        if (cursor.at < block.latin.length) blocks.putBack(block, cursor.at);
      }
      bytes = blocks.overflows() ? yield* readOversized() : undefined;
    }
  }
  if (overlong) {
    overlong.end();
    yield finishOverlong(overlong, cursor, options);
    return;
  }
  yield* recordsIn(blocks.rest());
  if (cursor.openQuoteLine !== undefined) throw options.unclosedError(cursor.openQuoteLine);
}

/** Moves the cursor past the record whose bytes were dropped. Returns the record, unless it is skipped. */
function finishOverlong(
  overlong: OverlongReader,
  cursor: Cursor,
  { skip }: ScanOptions,
): InputRecord[] {
  const { row } = cursor;
  cursor.row += 1;
  cursor.line += overlong.lineEnds() + 1;
  return row > 0 && row <= skip ? [] : [overlong.record(row)];
}
