// Splits an input into shards by subscriber, so that several machines can send it and all rows of a subscriber are in
// one shard, in order.
import { trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord } from '../../input/records.ts';
import { idHash } from './id-hash.ts';
import type { Sender } from './sender.ts';

export interface Shard {
  /** From 0. */
  index: number;
  count: number;
}

/** Returns whether a row belongs to the shard. Rows without a readable id belong to the first shard. */
export function createShardFilter(
  { subscriberOf }: Sender,
  { index, count }: Shard,
): (record: InputRecord) => boolean {
  return (record) => {
    const value = record.error === undefined ? subscriberOf?.(record) : undefined;
    const id = typeof value === 'string' ? trimSpaces(value) : '';
    return (id === '' ? 0 : idHash(id) % count) === index;
  };
}
