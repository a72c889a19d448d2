// Hashes ids to 53-bit numbers, to compare millions of ids without storing their text. A collision causes an
// unnecessary wait or one duplicate too many in a count, but never loses a row.

/** Returns an integer from 1 to 2^53. */
export function idHash(id: string): number {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let at = 0; at < id.length; at += 1) {
    const unit = id.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x5bd1e995);
  }
  high ^= high >>> 15;
  low ^= low >>> 13;
  return (high & 0x1fffff) * 0x1_0000_0000 + (low >>> 0) + 1;
}

/** Returns the slot of a hash in a flat table (open addressing), or the free slot for it. 0 marks a free slot. */
export function findSlot(table: Float64Array, hash: number): number {
  const mask = table.length - 1;
  let at = hash & mask;
  while (table[at] !== 0 && table[at] !== hash) at = (at + 1) & mask;
  return at;
}

/** The first line of each hash. The table grows up to `maxSize` hashes. */
export function createFirstLines(maxSize: number) {
  // Each hash is next to its line, because every access to another part of memory takes time.
  let pairs = new Float64Array(1 << 13);
  let size = 0;

  const findPair = (hash: number): number => {
    const mask = pairs.length - 1;
    let at = (hash << 1) & mask;
    while (pairs[at] !== 0 && pairs[at] !== hash) at = (at + 2) & mask;
    return at;
  };
  const grow = () => {
    const old = pairs;
    pairs = new Float64Array(old.length * 2);
    for (let from = 0; from < old.length; from += 2) {
      const hash = old[from] as number;
      if (hash === 0) continue;
      const at = findPair(hash);
      pairs[at] = hash;
      pairs[at + 1] = old[from + 1] as number;
    }
  };

  return {
    hasRoom: () => size < maxSize,
    /** The line of a hash; 0 if it was not added. */
    find(hash: number): number {
      const at = findPair(hash);
      return pairs[at] === hash ? (pairs[at + 1] as number) : 0;
    },
    /** Adds the hash of a line. Returns the line that already had it; 0 for a new one, and always once it is full. */
    add(hash: number, line: number): number {
      if (size === maxSize) return 0;
      const at = findPair(hash);
      if (pairs[at] === hash) return pairs[at + 1] as number;
      pairs[at] = hash;
      pairs[at + 1] = line;
      size += 1;
      if (size * 4 > pairs.length) grow();
      return 0;
    },
  };
}
