// The bytes of a CSV → chunks of records. A record that does not end in what has been read is held until it does; one
// that grows over 1 MiB is followed to its end without being held.
import { type Block, chunkRecords, createHold, openBlock } from './blocks.ts';
import type { ByteSource } from './bytes.ts';
import { createOverlong, type Overlong } from './csv-overlong.ts';
import { type Cursor, type ScanOptions, scanRecords } from './csv-scan.ts';
import type { InputRecord } from './records.ts';

/** The header is in a chunk of its own. */
export async function* csvChunks(
  { stream, offset }: ByteSource,
  cursor: Cursor,
  options: ScanOptions,
): AsyncGenerator<InputRecord[]> {
  const hold = createHold(offset);
  let overlong: Overlong | undefined;

  /** Up to the end of the block, or to a quote that it does not close. */
  function* recordsIn(block: Block): Generator<InputRecord[]> {
    cursor.at = 0;
    cursor.openLine = undefined;
    while (cursor.at < block.latin.length && cursor.openLine === undefined) {
      const records = scanRecords(block, cursor, options, cursor.row === 0 ? 1 : chunkRecords);
      if (records.length > 0) yield records;
    }
  }

  /** Reads what is held and too long for a record that has not ended; gives what follows a record that has. */
  function* recordsHeld(): Generator<InputRecord[], Buffer | undefined> {
    const { bytes, offset: start } = hold.rest();
    const begun = createOverlong({ ...options, start, line: cursor.line + 1 });
    const rest = begun.take(bytes);
    if (rest === undefined) {
      overlong = begun;
      return undefined;
    }
    yield* recordsIn(openBlock(bytes.subarray(0, bytes.length - rest.length), start));
    hold.moveTo(begun.next());
    return rest;
  }

  for await (const chunk of stream) {
    let bytes: Buffer | undefined = chunk;
    if (overlong) {
      bytes = overlong.take(chunk);
      if (bytes === undefined) continue;
      hold.moveTo(overlong.next());
      yield overlongRecords(overlong, cursor, options);
      overlong = undefined;
    }
    while (bytes !== undefined) {
      const block = hold.add(bytes);
      if (block) {
        yield* recordsIn(block);
        if (cursor.at < block.latin.length) hold.takeBack(block, cursor.at);
      }
      bytes = hold.overflows() ? yield* recordsHeld() : undefined;
    }
  }
  if (overlong) {
    overlong.end();
    yield overlongRecords(overlong, cursor, options);
    return;
  }
  yield* recordsIn(hold.rest());
  if (cursor.openLine !== undefined) throw options.unclosed(cursor.openLine);
}

/** The record whose bytes were dropped, unless it is passed over; the cursor is behind it. */
function overlongRecords(overlong: Overlong, cursor: Cursor, { skip }: ScanOptions): InputRecord[] {
  const { row } = cursor;
  cursor.row += 1;
  cursor.line += overlong.lineEnds() + 1;
  return row > 0 && row <= skip ? [] : [overlong.record(row)];
}
