// Keeps batches with the same id in order: a batch waits for every batch in flight that shares an id with it.
// Two flat arrays map the hash of an id to the last batch that contains it.
import { findSlot } from './id-hash.ts';

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
