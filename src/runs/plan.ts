// What a bulk command adds to the engine: how a record becomes an item, and how an answer settles items.
import type { OperationId } from '../api/operations/index.ts';
import type { InputRecord } from '../input/records.ts';

/** What became of a row. A text says why it did not go through. */
export type Outcome =
  | { state: 'created' | 'updated' | 'unknown' }
  | { state: 'failed' | 'invalid'; why: string };

/** A checked item: its identity, for order and matching, and its JSON. */
export interface Item {
  id: string;
  json: string;
}

export interface Plan {
  operation: OperationId;
  /** Target of the request. */
  target: string;
  /** The member of the body that holds the items. */
  member: string;
  /** The item of a record, or why it cannot be sent. */
  itemOf(record: InputRecord): Item | { error: string };
  /** The outcome of each item, in order. Items that the answer names nowhere are `unknown`. */
  settle(answer: unknown, ids: readonly string[]): Outcome[];
}
