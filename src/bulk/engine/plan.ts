// What a bulk command adds to the engine: how a record becomes an item, how items become a request, and how
// an answer settles them.

import type { OperationId } from '../../api/operations/index.ts';
import type { Exchange } from '../../api/request.ts';
import type { SvcError } from '../../core/errors.ts';
import type { InputRecord } from '../../input/records.ts';

/** How a summary calls what went through. */
export type Success =
  | 'created'
  | 'updated'
  | 'subscribed'
  | 'triggered'
  | 'cancelled'
  | 'notPending'
  | 'marked';

/** What became of a row. A text says why it did not go through. */
export type Outcome =
  | {
      state: Success | 'skipped' | 'unknown';
      /** The response does not decide it yet: `Plan.follow` does. */
      open?: true;
    }
  | { state: 'failed' | 'invalid' | 'unknown'; why: string };

export type OutcomeState = Outcome['state'];

/** A checked item: its identity, for order and matching, and its JSON. */
export interface Item {
  id: string;
  json: string;
}

/** A row whose outcome is still open. */
export interface OpenRow {
  id: string;
  /** Number of the row in the input, from 1. */
  number: number;
  outcome: Outcome;
}

export interface Decided {
  row: OpenRow;
  outcome: Outcome;
}

export interface FollowFacts {
  /** Every row up to this number has been sent. */
  through: number;
  /** Counts requests that it sends. */
  sent: (attempts: number) => void;
}

export interface Plan {
  operation: OperationId;
  /** The words of success, in the order of the summary. */
  words: readonly Success[];
  /** Rows of one id are sent in the order of the input, whatever the concurrency. */
  ordered: boolean;
  /** Path of the request for these items. */
  target(items: readonly Item[]): string;
  /** JSON before and after the items in the body; absent for requests without one. */
  frame?: { open: string; close: string };
  /** The item of a record, or why it cannot be sent. Rows are numbered from 1. */
  itemOf(record: InputRecord, row: number): Item | { error: string };
  /** Told of rows that an earlier process has settled, where later rows depend on them. */
  passedOver?(record: InputRecord, row: number): void;
  /** The outcome of each item, in order. Items that the answer names nowhere are `unknown`. */
  settle(answer: Exchange<unknown>, items: readonly Item[]): Outcome[];
  /** Decides open outcomes once their requests have been answered. Requires batches of one item. */
  follow?(open: readonly OpenRow[], facts: FollowFacts): AsyncIterable<Decided>;
  /** Outcomes from a refusal that is about these items; undefined when it is about something else. */
  refused?(error: SvcError, items: readonly Item[]): Outcome[] | undefined;
}
