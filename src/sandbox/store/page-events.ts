// Listings of events and their notifications for the page of the sandbox, one page at a time.

import { mainDigest } from './notifications.ts';
import { containing } from './page-messages.ts';
import type { Scope } from './scope.ts';
import { fromJson } from './sql.ts';
import { joinConditions, type Row } from './table.ts';

export interface ListedEvent {
  /** Its place in the listing. */
  row: number;
  transactionId: string;
  /** Internal id. */
  workflow: string;
  createdAt: string;
}

const toEvent = ({ place, transaction_id, workflow, created_at }: Row): ListedEvent => ({
  row: Number(place),
  transactionId: String(transaction_id),
  workflow: String(workflow),
  createdAt: String(created_at),
});

const columns = 'rowid AS place, transaction_id, workflow, created_at';

/** The unary plus stops SQLite from using the index by transaction, whose rows it would have to sort. */
const inEnvironment = '+env = ?';

const matchesText = `(instr(lower(transaction_id), ?) > 0
  OR workflow IN (SELECT id FROM workflows WHERE instr(search, ?) > 0)
  OR EXISTS (SELECT 1 FROM notifications n JOIN subscribers s ON s.id = n.subscriber
    WHERE n.env = events.env AND n.transaction_id = events.transaction_id
      AND instr(s.search, ?) > 0))`;

const isForSubscriber = `EXISTS (SELECT 1 FROM notifications n JOIN subscribers s ON s.id = n.subscriber
  WHERE n.env = events.env AND n.transaction_id = events.transaction_id AND s.subscriber_id = ?)`;

const ofWorkflow = 'workflow = (SELECT id FROM workflows WHERE env = ? AND identifier = ?)';

/** A search reads at most this many events for a page. */
const maxScanned = 5_000;
/** The outcome of an event has to be derived from its jobs, which takes longer. */
const maxDerived = 500;

interface EventFilter {
  /** In the transaction, workflow or recipient. */
  text?: string | undefined;
  /** Public id of a subscriber. */
  subscriberId?: string | undefined;
  /** Identifier of a workflow. */
  workflow?: string | undefined;
  /** A text in the payload. */
  payload?: string | undefined;
  /** Beginnings of ISO times: from the first, before the second. */
  from?: string | undefined;
  to?: string | undefined;
  before?: number | undefined;
  /** Selects the events with a condition that SQL cannot express. */
  select?: ((events: readonly ListedEvent[]) => ListedEvent[]) | undefined;
}

interface PageOfEvents {
  events: ListedEvent[];
  /** The value of `before` for the next page. */
  next: number | undefined;
  /** The number of events, of those that exist, up to which the search has read; absent if it is complete. */
  progress?: { read: number; total: number };
}

/** Returns at most `limit` events, the last accepted one first. */
export function pageOfEvents(
  { sql, environmentId }: Scope,
  { before, select, ...filter }: EventFilter,
  limit: number,
): PageOfEvents {
  const { text, subscriberId, workflow, payload, from, to } = filter;
  const total =
    sql.get<{ place: number | null }>('SELECT max(rowid) AS place FROM events')?.place ?? 0;
  const start = before ?? total + 1;
  const isScan = Boolean(text || subscriberId || workflow || payload || select);
  const end = isScan ? Math.max(start - (select ? maxDerived : maxScanned), 0) : 0;
  const lowerCase = text?.toLowerCase() || undefined;
  const where = joinConditions([
    [inEnvironment, environmentId],
    ['rowid < ?', start],
    ['rowid >= ?', end],
    ['created_at >= ?', from],
    ['created_at < ?', to],
    [matchesText, lowerCase, lowerCase, lowerCase],
    [isForSubscriber, subscriberId || undefined],
    [ofWorkflow, environmentId, workflow || undefined],
    [
      "json_extract(body, '$.payload') LIKE ? ESCAPE '\\'",
      payload ? containing(payload) : undefined,
    ],
  ]);
  const rows = sql.all<Row>(
    `SELECT ${columns} FROM events WHERE ${where.text} ORDER BY rowid DESC LIMIT ?`,
    ...where.values,
    select ? -1 : limit + 1,
  );
  const found = rows.map(toEvent);
  const events = select ? selectedEvents(found, select, limit) : found;
  if (events.length > limit) {
    const page = events.slice(0, limit);
    return { events: page, next: page.at(-1)?.row };
  }
  if (end === 0) return { events, next: undefined };
  return { events, next: end, progress: { read: total - end + 1, total } };
}

/** The first selected events, at least one more than `limit` if there are so many. */
function selectedEvents(
  events: readonly ListedEvent[],
  select: (events: readonly ListedEvent[]) => ListedEvent[],
  limit: number,
): ListedEvent[] {
  const selected: ListedEvent[] = [];
  for (let start = 0; start < events.length && selected.length <= limit; start += limit)
    selected.push(...select(events.slice(start, start + limit)));
  return selected;
}

export function listedEvent(
  { sql, environmentId }: Scope,
  transactionId: string,
): ListedEvent | undefined {
  const row = sql.get<Row>(
    `SELECT ${columns} FROM events WHERE env = ? AND transaction_id = ?`,
    environmentId,
    transactionId,
  );
  return row && toEvent(row);
}

/** Returns the transaction ids that begin with a text. */
export const eventsByPrefix = (
  { sql, environmentId }: Scope,
  prefix: string,
  limit: number,
): string[] =>
  sql
    .all<{ transaction_id: string }>(
      `SELECT transaction_id FROM events WHERE env = ? AND transaction_id >= ?
         AND transaction_id < ? ORDER BY transaction_id LIMIT ?`,
      environmentId,
      prefix,
      `${prefix}\u{10ffff}`,
      limit,
    )
    .map(({ transaction_id }) => transaction_id);

/** Returns the payload of the last event of a workflow, by its internal id. */
export function lastPayload(
  { sql, environmentId }: Scope,
  workflow: string,
): Record<string, unknown> | undefined {
  const row = sql.get<{ payload: string | null }>(
    `SELECT (SELECT json_extract(e.body, '$.payload') FROM events e
       WHERE e.env = n.env AND e.transaction_id = n.transaction_id) AS payload
     FROM notifications n WHERE n.env = ? AND n.workflow = ?
     ORDER BY n.created_at DESC, n.id DESC LIMIT 1`,
    environmentId,
    workflow,
  );
  return row?.payload ? fromJson<Record<string, unknown>>(row.payload) : undefined;
}

const maxCounted = 1_000;

/** Counts the notifications of a transaction, up to 1,000. */
export const countRecipients = ({ sql, environmentId }: Scope, transactionId: string): number =>
  sql.count(
    '(SELECT 1 FROM notifications WHERE env = ? AND transaction_id = ? LIMIT ?)',
    environmentId,
    transactionId,
    maxCounted,
  );

export const isCountCapped = (count: number) => count === maxCounted;

// The events that one digest collects, for the page of the sandbox.

interface DigestedEvent {
  transactionId: string;
  payload: Record<string, unknown>;
}

const ofDigest = `digests d JOIN notifications n ON n.id = d.notification
  WHERE d.main = (SELECT main FROM digests WHERE job = ?) AND d.state IN ('open', 'done', 'merged')`;

/** Returns the number of events in the digest of a job, and the first of them with their payloads. */
export function digestedEvents(
  { sql }: Scope,
  job: string,
  limit: number,
): { count: number; events: DigestedEvent[] } {
  const count = sql.count(ofDigest, job);
  const rows = sql.all<{ transaction_id: string; payload: string | null }>(
    `SELECT n.transaction_id, (SELECT json_extract(e.body, '$.payload') FROM events e
       WHERE e.env = n.env AND e.transaction_id = n.transaction_id) AS payload
     FROM ${ofDigest} ORDER BY d.rowid LIMIT ?`,
    job,
    limit,
  );
  const events = rows.map(({ transaction_id: transactionId, payload }) => ({
    transactionId,
    payload: fromJson<DigestedEvent['payload']>(payload ?? '{}'),
  }));
  return { count, events };
}

/** Returns the event whose digest carries a notification; undefined if none does. */
export const findDigest = (
  { sql, environmentId }: Scope,
  transactionId: string,
): { transactionId: string; job: string } | undefined =>
  sql.get<{ transactionId: string; job: string }>(
    `SELECT main.transaction_id AS transactionId, d.job FROM (
       SELECT coalesce(CASE WHEN n.digested_by IS NULL THEN NULL ELSE ${mainDigest} END, n.id) AS id
       FROM notifications n WHERE n.env = ? AND n.transaction_id = ? LIMIT 2) x
     JOIN notifications main ON main.id = x.id
     JOIN digests d ON d.notification = main.id AND d.state IN ('open', 'done') LIMIT 1`,
    environmentId,
    transactionId,
  );
