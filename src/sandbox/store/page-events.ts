// Listings of events and their notifications for the page of the sandbox, one page at a time.

import { findNotification, mainDigest, type StoredNotification } from './notifications.ts';
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
  before?: number | undefined;
  /** A condition that SQL cannot express. */
  matches?: ((event: ListedEvent) => boolean) | undefined;
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
  { before, matches, ...filter }: EventFilter,
  limit: number,
): PageOfEvents {
  const { text, subscriberId, workflow, payload } = filter;
  const total =
    sql.get<{ place: number | null }>('SELECT max(rowid) AS place FROM events')?.place ?? 0;
  const start = before ?? total + 1;
  const isScan = Boolean(text || subscriberId || workflow || payload || matches);
  const end = isScan ? Math.max(start - (matches ? maxDerived : maxScanned), 0) : 0;
  const lowerCase = text?.toLowerCase() || undefined;
  const where = joinConditions([
    [inEnvironment, environmentId],
    ['rowid < ?', start],
    ['rowid >= ?', end],
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
    matches ? -1 : limit + 1,
  );
  const events: ListedEvent[] = [];
  for (const event of rows.map(toEvent)) {
    if (events.length === limit) return { events, next: events.at(-1)?.row };
    if (matches?.(event) ?? true) events.push(event);
  }
  if (end === 0) return { events, next: undefined };
  return { events, next: end, progress: { read: total - end + 1, total } };
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

/** Returns the notifications of a transaction in the order of their creation, from the one after `after`. */
export function pageOfNotifications(
  scope: Scope,
  transactionId: string,
  { after = 0, limit }: { after?: number | undefined; limit: number },
): { row: number; notification: StoredNotification }[] {
  const { sql, environmentId } = scope;
  return sql
    .all<{ place: number; id: string }>(
      `SELECT rowid AS place, id FROM notifications
       WHERE env = ? AND transaction_id = ? AND rowid > ? ORDER BY rowid LIMIT ?`,
      environmentId,
      transactionId,
      after,
      limit,
    )
    .flatMap(({ place, id }) => {
      const notification = findNotification(scope, id);
      return notification ? [{ row: place, notification }] : [];
    });
}

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

// The steps of the recipients of an event, for their outcomes. Recipients whose steps have the same statuses are one group.

export interface GroupedSteps {
  jobs: { type: string; status: string; position: number }[];
  /** The notification whose digest merged them. */
  digestedBy: string | undefined;
  count: number;
}

const maxCountedSteps = 1_000;

interface GroupRow {
  jobs: string;
  main: string | null;
  count: number;
}

const toGroup = ({ jobs, main, count }: GroupRow): GroupedSteps => ({
  jobs: fromJson(jobs),
  digestedBy: main ?? undefined,
  count,
});

/** `n` selects notifications. */
const groups = (n: string) => `SELECT jobs, main, count(*) AS count FROM (
  SELECT n.main, json_group_array(
    json_object('type', j.type, 'status', j.status, 'position', j.position)) AS jobs
  FROM (${n}) n JOIN jobs j ON j.notification = n.id GROUP BY n.id)
  GROUP BY jobs, main`;

/** Returns the groups of the first 1,000 recipients of an event. */
export const groupRecipients = (
  { sql, environmentId }: Scope,
  transactionId: string,
): GroupedSteps[] =>
  sql
    .all<GroupRow>(
      groups(`SELECT n.id, CASE WHEN n.digested_by IS NULL THEN NULL ELSE ${mainDigest} END AS main
        FROM notifications n WHERE n.env = ? AND n.transaction_id = ? LIMIT ?`),
      environmentId,
      transactionId,
      maxCountedSteps,
    )
    .map(toGroup);

/** Returns the steps of one notification. */
export function groupSteps({ sql }: Scope, notification: string): GroupedSteps | undefined {
  const row = sql.get<GroupRow>(
    groups(`SELECT n.id, ${mainDigest} AS main FROM notifications n WHERE n.id = ?`),
    notification,
  );
  return row && toGroup(row);
}
