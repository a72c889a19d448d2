// Groups rows into batches. A batch is a range of consecutive rows: the valid ones fit into one request, by count and
// by bytes; the invalid and empty ones between them are not sent.
import type { InputRecord } from '../../input/records.ts';
import { createBodyWriter, type Frame, type ItemRange } from './body-writer.ts';
import { findSlot } from './id-hash.ts';
import type { Sender } from './sender.ts';

/** Its JSON is in the body of its batch; the range is empty for requests without a body. */
export interface Row extends ItemRange {
  id: string;
  group: string | undefined;
  /** Number of the row in the input, from 1. */
  number: number;
  /** The input record, written to the rejects file if the row fails. */
  record: InputRecord;
}

interface UnsentRow {
  number: number;
  record: InputRecord;
  /** Why it is invalid; undefined for an empty row, which is skipped. */
  reason: string | undefined;
}

export interface BatchRange {
  /** Numbers of the first and the last row. All rows between them are in the batch. */
  first: number;
  last: number;
  /** Byte range in the input; `end` is exclusive. */
  start: number;
  end: number;
}

export interface Batch extends BatchRange {
  /** Line of the first row. */
  line: number;
  rows: Row[];
  idHashes: number[];
  /** Number of rows with the id of an earlier row. */
  duplicates: number;
  unsentRows: UnsentRow[];
  /** The request body; only its items if the frame depends on them. Undefined for requests without a body. */
  body?: Buffer | undefined;
}

interface BatchLimits {
  count: number;
  bytes: number;
}

const commaBytes = 1;
/** A batch is also full at this many unsent rows, so that a file of invalid rows is journaled while it is read. */
const maxUnsentRows = 500;

/** Bytes of the request body without its items. A frame that depends on the items has the text of their group at most. */
function createFrameSize({ frame }: Sender): (group: string | undefined) => number {
  if (typeof frame === 'function') return (group = '') => maxFrameBytes + Buffer.byteLength(group);
  const bytes = frame ? Buffer.byteLength(frame.open) + Buffer.byteLength(frame.close) : 0;
  return () => bytes;
}
/** Of a frame without the text of the group. */
const maxFrameBytes = 64;

/** Collects rows in input order. Returns a batch when the next row would exceed a limit. */
export function createBatchCollector(sender: Sender, limits: BatchLimits) {
  const frameBytes = createFrameSize(sender);
  const writer = createBodyWriter(typeof sender.frame === 'object' ? sender.frame : emptyFrame);
  const hasBody = sender.frame !== undefined;
  let batch: Batch | undefined;
  let bytes = 0;

  const takeBatch = (): Batch | undefined => {
    const full = batch;
    if (full && hasBody && full.rows.length > 0) full.body = writer.endBody();
    batch = undefined;
    return full;
  };
  const extendBatch = (number: number, { line, start, end }: InputRecord): Batch => {
    batch ??= {
      line,
      first: number,
      last: number,
      start,
      end,
      rows: [],
      idHashes: [],
      duplicates: 0,
      unsentRows: [],
      body: undefined,
    };
    batch.last = number;
    batch.end = end;
    return batch;
  };
  /** A batch is one range of rows, so rows that an earlier process finished end it. */
  const takeBeforeGap = (number: number) =>
    batch !== undefined && number !== batch.last + 1 ? takeBatch() : undefined;

  return {
    /** `Sender.toItem` may write the item to it. */
    writer,
    /** Adds the text of an item that `Sender.toItem` has not written. */
    writeItem(json: string) {
      if (!hasBody) return;
      writer.start(json.length * maxBytesPerUnit);
      writer.addText(json);
    },
    /** Whether the item just written, of this group, fits into a request at all. */
    fits: (group: string | undefined) => frameBytes(group) + writer.itemBytes() <= limits.bytes,
    /** Adds the row of the item just written. */
    add(row: Row, idHash: number, isDuplicate: boolean): Batch | undefined {
      const next = writer.itemBytes() + commaBytes;
      const isFull =
        batch !== undefined &&
        (batch.rows.length === limits.count ||
          (batch.rows.length > 0 &&
            (bytes + next > limits.bytes || batch.rows[0]?.group !== row.group)));
      const full = isFull ? takeBatch() : takeBeforeGap(row.number);
      const extended = extendBatch(row.number, row.record);
      if (extended.rows.length === 0) bytes = frameBytes(row.group);
      extended.rows.push(row);
      extended.idHashes.push(idHash);
      if (isDuplicate) extended.duplicates += 1;
      if (hasBody) writer.keepItem(row);
      bytes += next;
      return full;
    },
    addUnsent(row: UnsentRow): Batch | undefined {
      const full =
        batch !== undefined && batch.unsentRows.length >= maxUnsentRows
          ? takeBatch()
          : takeBeforeGap(row.number);
      extendBatch(row.number, row.record).unsentRows.push(row);
      return full;
    },
    /** Skips a row of another shard, which does not end the batch. */
    pass({ row, end }: InputRecord): void {
      if (batch === undefined || row !== batch.last + 1) return;
      batch.last = row;
      batch.end = end;
    },
    takeRest: takeBatch,
    /** Makes the memory of its body free for other batches, when no request needs it any more. */
    release({ body }: Batch): void {
      if (body) writer.release(body);
    },
  };
}

/** The request body for rows of a batch; undefined for requests without one. */
export function requestBody({ frame }: Sender, batch: Batch, rows: readonly Row[]) {
  const { body } = batch;
  if (frame === undefined || body === undefined) return undefined;
  const isFixed = typeof frame === 'object';
  if (isFixed && rows === batch.rows) return body;
  const { open, close } = isFixed ? frame : frame(rows);
  const items = rows.flatMap(({ bodyStart, bodyEnd }, index) => [
    ...(index === 0 ? [] : [comma]),
    body.subarray(bodyStart, bodyEnd),
  ]);
  return Buffer.concat([Buffer.from(open), ...items, Buffer.from(close)]);
}

/** The JSON of a row of a batch. */
export const rowJson = (body: Buffer | undefined, { bodyStart, bodyEnd }: ItemRange): string =>
  body?.subarray(bodyStart, bodyEnd).toString('utf8') ?? '';

const comma = Buffer.from(',');
const emptyFrame: Frame = { open: '', close: '' };
/** UTF-8 needs at most three bytes for a UTF-16 unit. */
const maxBytesPerUnit = 3;

// Keeps batches with the same id in order: a batch waits for every batch in flight that shares an id with it.
// Two flat arrays map the hash of an id to the last batch that contains it.

/** Initial slots. Entries of finished batches are removed when the table is rebuilt. */
const firstSize = 1 << 16;

export function createBatchOrder() {
  let hashes = new Float64Array(firstSize);
  let batches = new Float64Array(firstSize);
  let used = 0;
  let lastBatch = 0;
  const inFlight = new Map<number, Promise<void>>();

  /** Drops the entries of finished batches and resizes the table. */
  const rebuild = () => {
    const [oldHashes, oldBatches] = [hashes, batches];
    const remaining: number[] = [];
    for (let at = 0; at < oldHashes.length; at += 1) {
      if (oldHashes[at] !== 0 && inFlight.has(oldBatches[at] as number)) remaining.push(at);
    }
    const size = Math.max(firstSize, 1 << Math.ceil(Math.log2(remaining.length * 4 + 1)));
    hashes = new Float64Array(size);
    batches = new Float64Array(size);
    used = remaining.length;
    for (const from of remaining) {
      const hash = oldHashes[from] as number;
      const at = findSlot(hashes, hash);
      hashes[at] = hash;
      batches[at] = oldBatches[from] as number;
    }
  };

  return {
    /** Runs `send` after all earlier batches that contain one of these ids. */
    sendInOrder(idHashes: readonly number[], send: () => Promise<void>): Promise<void> {
      lastBatch += 1;
      const batch = lastBatch;
      const earlierBatches = new Set<Promise<void>>();
      for (const hash of idHashes) {
        const at = findSlot(hashes, hash);
        if (hashes[at] === 0) used += 1;
        else {
          const earlier = inFlight.get(batches[at] as number);
          if (earlier) earlierBatches.add(earlier);
        }
        hashes[at] = hash;
        batches[at] = batch;
      }
      const sending = earlierBatches.size === 0 ? send() : Promise.all(earlierBatches).then(send);
      const finished = sending.then(
        () => undefined,
        () => undefined,
      );
      inFlight.set(batch, finished);
      // Only after `inFlight.set`, because a rebuild must keep the entries of this batch.
      if (used * 2 > hashes.length) rebuild();
      return sending.finally(() => inFlight.delete(batch));
    },
  };
}
