// Lists of ids: how they are read (one per line, a column of a CSV file, or a field of JSON objects), and the senders
// that need only ids.

import { fillPath } from '../../api/url.ts';
import { isMissing, refuseForeignNotFound, usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { findIdProblem, trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { OperationId } from '../../service/operations/index.ts';
import type { Item, Outcome, Sender, Success } from '../engine/sender.ts';
import { normalizeName } from './columns.ts';
import { nonEmptyText } from './responses.ts';

export type IdReader = (record: InputRecord) => unknown;

export function createIdReader(
  { format, header, name, fieldColumns }: RecordSource,
  field: string,
): IdReader {
  if (format === 'lines') {
    if (field !== 'topicKey') return (record) => record.cells?.()[0];
    throw usageError(`${name} is a list of ids, which names no topics.`, {
      hint: 'Name the topic, or use CSV or NDJSON with the columns subscriberId and topicKey.',
    });
  }
  if (!header) return ({ value }) => value?.[field];
  const mapped = fieldColumns?.get(field);
  const index =
    mapped === undefined
      ? header.findIndex((column) => normalizeName(column) === normalizeName(field))
      : header.indexOf(mapped);
  if (index < 0) {
    throw usageError(`${name} has no column \`${field}\`.`, {
      suggestion: { input: field, candidates: header },
      hint: `Name the column with --map ${field}=<column>. A plain list of ids needs no header: one id per line, in a file without the extension .csv.`,
    });
  }
  return (record) => record.cells?.()[index];
}

/** Like `toIdItem`; also rejects an id that cannot be part of a path, instead of stopping the run. */
export function toPathItem(value: unknown, field: string): Item | { error: string } {
  const item = toIdItem(value, field);
  if ('error' in item) return item;
  try {
    fillPath(`{${field}}`, { [field]: item.id });
    return item;
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Removes spaces around an id and converts it to an item. Rejects an id with an invisible character. */
export function toIdItem(value: unknown, field: string): Item | { error: string } {
  const id = typeof value === 'string' ? trimSpaces(value) : '';
  const problem = id === '' ? 'is required' : findIdProblem(id);
  return problem === undefined
    ? { id, json: JSON.stringify(id) }
    : { error: `${field}: ${problem}` };
}

/** `Sender.path` of requests for one item each. */
export const idInPath =
  (field: string, others: Record<string, string> = {}) =>
  ([item]: readonly Item[]) => ({ ...others, [field]: item?.id ?? '' });

/** `Sender.frame` of requests whose body is one item. */
export const wholeBody = { open: '', close: '' } as const;

/**
 * `Sender.readRejection` of requests for items that may not exist: the rows fail with the error of the service, unless the
 * server lacks the operation.
 */
export const failMissing: NonNullable<Sender['readRejection']> = (error, items) => {
  const { exitReason, message: reason, details } = error;
  if (exitReason !== 'notFound' || details.notOffered) return undefined;
  return items.map(() => ({ state: 'failed', reason }));
};

interface RequestPerId {
  /** The name of the id in the path. */
  field: string;
  /** The other values in the path. */
  path?: Record<string, string>;
  body?: object;
  /** The state after a successful request. */
  state?: Success;
}

export const requestPerId = (
  operation: OperationId,
  readId: IdReader,
  { field, path, body, state = 'updated' }: RequestPerId,
): Sender => ({
  operation,
  successStates: [state],
  isOrdered: false,
  path: idInPath(field, path),
  ...(body ? { frame: wholeBody } : {}),
  toItem(record) {
    const item = toPathItem(readId(record), field);
    return body && 'id' in item ? { ...item, json: JSON.stringify(body) } : item;
  },
  readOutcomes: () => [{ state }],
});

const absent: Outcome = { state: 'absent' };

/** A subscriber that does not exist counts as absent. */
export const createDeletionSender = (readId: IdReader): Sender => ({
  ...requestPerId('deleteSubscriber', readId, { field: 'subscriberId' }),
  successStates: ['deleted', 'absent'],
  // The client returns 404 as a response if an earlier attempt may have deleted the subscriber.
  readOutcomes: ({ status }) => [status === 404 ? absent : { state: 'deleted' }],
  readRejection(error) {
    if (!isMissing(error)) return undefined;
    if (error.details.isForeignNotFound) throw refuseForeignNotFound(error);
    return [absent];
  },
});

/** Rows with subscriberId and providerId. A subscriber without these credentials counts as absent. */
export const createCredentialDeletion = (): Sender => ({
  ...createDeletionSender(({ value }) => value?.subscriberId),
  operation: 'deleteSubscriberCredentials',
  path: ([item]) => ({ subscriberId: item?.id ?? '', providerId: item?.group ?? '' }),
  toItem({ value }) {
    const provider = toPathItem(value?.providerId, 'providerId');
    if ('error' in provider) return provider;
    return { ...toPathItem(value?.subscriberId, 'subscriberId'), group: provider.id };
  },
});

/** `followUp` handles inconclusive responses. */
export const createCancellationSender = (
  readId: IdReader,
  followUp?: Sender['followUp'],
): Sender => ({
  ...requestPerId('cancelEvent', readId, { field: 'transactionId' }),
  successStates: ['cancelled', 'notPending'],
  // `false` is ambiguous if the response to an earlier attempt was lost: that attempt may have cancelled all jobs.
  readOutcomes: ({ value, maybeApplied }) => [
    value === true
      ? { state: 'cancelled' }
      : { state: value === false && !maybeApplied ? 'notPending' : 'unknown', isUndecided: true },
  ],
  ...(followUp ? { followUp } : {}),
});

/** Marks in-app notifications of one subscriber. */
export const createMarkSender = (
  subscriberId: string,
  markAs: string,
  readId: IdReader,
): Sender => ({
  operation: 'markInboxNotifications',
  successStates: ['marked'],
  isOrdered: false,
  path: { subscriberId },
  frame: { open: `{"markAs":${JSON.stringify(markAs)},"messageId":[`, close: ']}' },
  toItem: (record) => toIdItem(readId(record), 'messageId'),
  readOutcomes({ value }, items) {
    const entries: unknown[] = Array.isArray(value) ? value : [undefined];
    const ids = entries.map((entry) => (isObject(entry) ? nonEmptyText(entry._id) : undefined));
    const marked = new Set(ids);
    // An incomplete response does not prove that an id is wrong.
    const missing: Outcome = ids.includes(undefined)
      ? { state: 'unknown' }
      : { state: 'failed', reason: `is not a notification of ${subscriberId}` };
    return items.map(({ id }): Outcome => (marked.has(id) ? { state: 'marked' } : missing));
  },
});
