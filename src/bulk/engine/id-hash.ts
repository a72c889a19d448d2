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

/** A set of hashes in one flat table. It grows up to `maxSize` members. */
export function createHashSet(maxSize: number) {
  let slots = new Float64Array(1 << 12);
  let size = 0;

  const grow = () => {
    const larger = new Float64Array(slots.length * 2);
    for (const hash of slots) if (hash !== 0) larger[findSlot(larger, hash)] = hash;
    slots = larger;
  };

  return {
    hasRoom: () => size < maxSize,
    /** Adds a hash. Returns true if the set already contained it, and always false once the set is full. */
    add(hash: number): boolean {
      if (size === maxSize) return false;
      const at = findSlot(slots, hash);
      if (slots[at] === hash) return true;
      slots[at] = hash;
      size += 1;
      if (size * 2 > slots.length) grow();
      return false;
    },
  };
}
