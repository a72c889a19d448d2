import { createHash } from 'node:crypto';

/** Returns a number from 0 (inclusive) to 1 (exclusive), always the same for the same text. */
export const pseudoRandom = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
