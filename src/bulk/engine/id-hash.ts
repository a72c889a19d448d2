// Ids as numbers: 53 bits of hash, so that millions of ids can be told apart without keeping their text.
// Two ids that share a number cost an unneeded wait or a duplicate too many in a count, never a row.

/** A whole number from 1 to 2^53. */
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

/** A set of hashes in one flat array; 0 marks a free place. It grows up to `most` members. */
export function createHashSet(most: number) {
  let places = new Float64Array(1 << 12);
  let size = 0;

  const placeOf = (table: Float64Array, hash: number): number => {
    const mask = table.length - 1;
    let at = hash & mask;
    while (table[at] !== 0 && table[at] !== hash) at = (at + 1) & mask;
    return at;
  };
  const grow = () => {
    const larger = new Float64Array(places.length * 2);
    for (const hash of places) if (hash !== 0) larger[placeOf(larger, hash)] = hash;
    places = larger;
  };

  return {
    hasRoom: () => size < most,
    /** True when the hash was there already; a set that is full is no longer looked at. */
    add(hash: number): boolean {
      if (size === most) return false;
      const at = placeOf(places, hash);
      if (places[at] === hash) return true;
      places[at] = hash;
      size += 1;
      if (size * 2 > places.length) grow();
      return false;
    },
  };
}
