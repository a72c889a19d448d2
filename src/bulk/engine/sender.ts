// A sender connects a bulk command with the engine: how a record becomes an item, how items become a request, and how to
// read the outcome of each item from the response.
import type { Client } from '../../api/client.ts';
import type { Exchange } from '../../api/request.ts';
import type { SvcError } from '../../core/errors.ts';
import type { InputRecord } from '../../input/records.ts';
import type { Input, OperationId, ResponseBody } from '../../service/operations/index.ts';
import type { Frame, ItemWriter } from './body-writer.ts';

/** States of successful rows, as named in the summary. */
export const allSuccessStates = [
  ...(['created', 'updated', 'unchanged', 'same', 'different', 'missing', 'subscribed'] as const),
  ...(['triggered', 'cancelled', 'notPending', 'marked', 'deleted', 'unsubscribed'] as const),
  ...(['added', 'removed', 'erased', 'absent'] as const),
] as const;

export type Success = (typeof allSuccessStates)[number];

/** Final state of a row, with the reason if it did not succeed. */
export type Outcome =
  | {
      state: Success | 'skipped' | 'unknown';
      /** The response is not conclusive: `Sender.followUp` determines the outcome. */
      isUndecided?: true;
      /** The fields that differ. */
      fields?: readonly string[];
    }
  | { state: 'failed' | 'invalid' | 'unknown'; reason: string };

export type OutcomeState = Outcome['state'];

/** A valid item: its id, for order and for matching responses, and its JSON. */
export interface Item {
  id: string;
  /** Undefined if `toItem` has written it to the body; then it contains no masked secret. */
  json?: string;
  /** Items of one request have the same group. */
  group?: string | undefined;
}

/** An item of a request that was sent. Its JSON is no longer kept. */
export interface SentItem extends Item {
  record?: InputRecord;
}

/** A valid row that is not sent yet. */
export interface UnsentItem {
  id: string;
  /** Its JSON; only read if it must be compared. */
  json: () => string;
}

/** A row whose response was not conclusive. */
export interface UndecidedRow {
  id: string;
  /** Number of the row in the input, from 1. */
  number: number;
  outcome: Outcome;
}

export interface DecidedRow {
  row: UndecidedRow;
  outcome: Outcome;
}

export interface FollowUpContext {
  /** All rows up to this number have been sent. */
  lastSentRow: number;
  /** Adds the requests of the follow-up to the statistics. */
  countRequests: (attempts: number) => void;
}

/** Sends the requests of one row, with the limits, retries and keys of the run. */
export interface RowRequests {
  call<Id extends OperationId>(id: Id, input: Input<Id>): Promise<ResponseBody<Id>>;
  /** An earlier attempt, also of an earlier process, may have been applied. */
  maybeApplied: boolean;
}

/** The rows of a batch that the service has. `conflict`: one of the ids belongs to another event. */
export type ExistingRows = { ids: ReadonlySet<string> } | { conflict: string };

/** By the names in the path of the operation. */
export type PathValues = Readonly<Record<string, string>>;

export interface Sender {
  operation: OperationId;
  /** The operation for these items, if it is another one. */
  operationOf?(items: readonly Item[]): OperationId;
  /** Whether a group of items is sent only after all earlier groups have finished. */
  hasPhases?: true;
  /**
   * Returns the outcomes of rows that need not be sent; undefined for the others. Rows with the same id are decided in
   * input order if the sender is ordered. `countRequests` adds requests to the statistics.
   */
  decideRows?(
    rows: readonly UnsentItem[],
    countRequests: (attempts: number) => void,
  ): Promise<(Outcome | undefined)[]>;
  /** Sends the requests of a row that needs several. The sender has batches of one item without a body. */
  sendRow?(item: SentItem, requests: RowRequests): Promise<Outcome>;
  /** The possible states of success, in the order of the summary. */
  successStates: readonly Success[];
  /** Rows with the same id are sent in input order at any concurrency. */
  isOrdered: boolean;
  /** The values in the path of the request for these items. */
  path?: PathValues | ((items: readonly Item[]) => PathValues);
  /** Absent for requests without a body. */
  frame?: Frame | ((items: readonly Item[]) => Frame);
  /**
   * Converts a record to an item, or returns the reason why it cannot be sent. Rows are numbered from 1. Large inputs are
   * converted faster if the item is written to `body`.
   */
  toItem(record: InputRecord, row: number, body: ItemWriter): Item | { error: string };
  /** The id of the subscriber of a record, for --shard; absent if rows do not belong to a subscriber. */
  subscriberOf?(record: InputRecord): unknown;
  /** The ids of the subscribers that a record notifies, for a check whether they exist. */
  recipientsOf?(record: InputRecord): readonly string[];
  /** `toItem` is called for all rows that an earlier process finished, not only for the first ones. */
  readsFinishedRows?: boolean;
  /** Called for rows that an earlier process finished, if later rows depend on them. */
  onFinishedRow?(record: InputRecord, row: number): void;
  /** Returns the outcome of each item, in order. Items that the response does not list are `unknown`. */
  readOutcomes(response: Exchange<unknown>, items: readonly SentItem[]): Outcome[];
  /** Finds the items that the service already has; with `sampleOnly`, of the first ones with one request. */
  findExisting?(
    client: Client,
    items: readonly UnsentItem[],
    sampleOnly: boolean,
  ): Promise<ExistingRows>;
  /** Whether the input has given ids of items, which another run can have used. */
  hasExplicitIds?(): boolean;
  /** Hints about the rows that were read, one a line, if any. */
  hint?(): string | undefined;
  /** Determines the outcomes of undecided rows with further requests. Requires batches of one item. */
  followUp?(rows: readonly UndecidedRow[], context: FollowUpContext): AsyncIterable<DecidedRow>;
  /**
   * Outcomes from an error response about these items; undefined if the error has another cause. `maybeApplied`: an
   * earlier attempt may have been applied.
   */
  readRejection?(
    error: SvcError,
    items: readonly Item[],
    maybeApplied: boolean,
  ): Outcome[] | undefined;
}

export const pathValues = ({ path = {} }: Sender, items: readonly Item[]): PathValues =>
  typeof path === 'function' ? path(items) : path;
