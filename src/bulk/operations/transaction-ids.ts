import { createHash } from 'node:crypto';
import { SvcError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import type { Host } from '../../platform/host.ts';
import { limits } from '../../service/limits.ts';

export const newTransactionId = ({ newId }: Pick<Host, 'newId'>): string =>
  toTransactionId(newId().replaceAll('-', ''));

/** Returns the same id for the same text. */
export const transactionIdFor = (text: string): string =>
  toTransactionId(createHash('sha256').update(text).digest('hex'));

/** Returns the id of the event of a row; `content` is its JSON without an id. */
export type RowTransactionId = (row: number, content: string) => string;

/** A run that starts again with a lost journal sends the same id for the same content, and another id for another one. */
export const contentTransactionIds =
  (idScope: string): RowTransactionId =>
  (row, content) =>
    transactionIdFor(`${idScope}\n${row}\n${content}`);

const toTransactionId = (digits: string) => `txn_${digits.slice(0, 24)}`;

/** Why a result is not about this event; undefined if it is, or if it names no transaction. */
export const foreignResult = (id: string, { transactionId }: { transactionId?: unknown } = {}) =>
  typeof transactionId !== 'string' || transactionId === id
    ? undefined
    : `the response is about transaction ${transactionId}, not about ${id}`;

/** Throws an error if the result of a trigger is absent or about another event: nothing is known about this one. */
export function requireOwnResult(
  id: string,
  result: { transactionId?: unknown; status?: unknown } | undefined,
): void {
  const problem =
    typeof result?.status === 'string' ? foreignResult(id, result) : 'the response has no result';
  if (problem === undefined) return;
  throw new SvcError('refused', `It is not known whether the event was triggered: ${problem}.`, {
    maybeApplied: true,
    next: [`svc activity get ${shellWord(id)}`],
  });
}

// Splits transaction ids into the groups that one request of the activity listing can ask for.

/** Max length of the ids in the URL of a request. */
const maxGroupLength = 6_000;

export function groupTransactions<T>(entries: readonly T[], idOf: (entry: T) => string): T[][] {
  const groups: T[][] = [];
  let length = Number.POSITIVE_INFINITY;
  for (const entry of entries) {
    const idLength = encodeURIComponent(idOf(entry)).length;
    const last = groups.at(-1);
    if (last && last.length < limits.valuesPerParameter && length + idLength <= maxGroupLength) {
      last.push(entry);
      length += idLength;
    } else {
      groups.push([entry]);
      length = idLength;
    }
  }
  return groups;
}
