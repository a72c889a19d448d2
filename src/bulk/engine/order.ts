// Order among batches: one waits for every batch in flight that shares an identity with it.
// Identities are hashes in a flat table beside the number of the last batch that carried them; every place of
// it holds a number, 0 where it is free.

/** Places of the table; places of batches that have settled are taken over, and cleared when it fills up. */
const firstSize = 1 << 16;

export function createOrder() {
  let hashes = new Float64Array(firstSize);
  let owners = new Float64Array(firstSize);
  let used = 0;
  let number = 0;
  const inFlight = new Map<number, Promise<void>>();

  const placeOf = (hash: number): number => {
    const mask = hashes.length - 1;
    let at = hash & mask;
    while (hashes[at] !== 0 && hashes[at] !== hash) at = (at + 1) & mask;
    return at;
  };

  /** Keeps what is in flight, in a table large enough for it. */
  const rebuild = () => {
    const [oldHashes, oldOwners] = [hashes, owners];
    const kept: number[] = [];
    for (let at = 0; at < oldHashes.length; at += 1) {
      if (oldHashes[at] !== 0 && inFlight.has(oldOwners[at] as number)) kept.push(at);
    }
    const size = Math.max(firstSize, 1 << Math.ceil(Math.log2(kept.length * 4 + 1)));
    hashes = new Float64Array(size);
    owners = new Float64Array(size);
    used = kept.length;
    for (const from of kept) {
      const hash = oldHashes[from] as number;
      const at = placeOf(hash);
      hashes[at] = hash;
      owners[at] = oldOwners[from] as number;
    }
  };

  return {
    /** Runs `send` behind all earlier batches that carry an id of these rows. */
    inOrder(rows: readonly { hash: number }[], send: () => Promise<void>): Promise<void> {
      number += 1;
      const mine = number;
      const waits = new Set<Promise<void>>();
      for (const { hash } of rows) {
        const at = placeOf(hash);
        if (hashes[at] === 0) used += 1;
        else {
          const earlier = inFlight.get(owners[at] as number);
          if (earlier) waits.add(earlier);
        }
        hashes[at] = hash;
        owners[at] = mine;
      }
      const sending = waits.size === 0 ? send() : Promise.all(waits).then(send);
      const settled = sending.then(
        () => undefined,
        () => undefined,
      );
      inFlight.set(mine, settled);
      // After it is known as in flight: a table that is made anew must keep it.
      if (used * 2 > hashes.length) rebuild();
      return sending.finally(() => inFlight.delete(mine));
    },
  };
}
