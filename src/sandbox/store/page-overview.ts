// The outcomes of many events at once, and the jobs that are due, for the overviews of the page. Recipients whose steps ended
// alike are one group, so that the number of rows does not depend on the number of recipients.

import { mainDigest } from './notifications.ts';
import type { Scope } from './scope.ts';
import { fromJson, type Sql, toJson } from './sql.ts';
import { type Condition, isOneOf, joinConditions } from './table.ts';

/** Type, status and, if the step delivered nothing, its details: text, status and the raw text of failures. */
type GroupedJob = [string, string, [string, string, string | null][] | null];

export interface OutcomeGroup {
  /** The hour of the events, as `2026-01-15T12`, or their transaction. */
  key: string;
  /** Internal id. */
  workflow: string;
  jobs: GroupedJob[];
  /** The jobs of the event whose digest carries these. */
  carried: GroupedJob[] | undefined;
  count: number;
  /** The jobs as stored text. */
  shape: string;
}

interface GroupRow {
  key: string;
  workflow: string;
  jobs: string;
  carried: string | null;
  count: number;
}

/** The newest recipients are grouped, so that a view takes a bounded time. */
export const maxGrouped = 25_000;

/** The home groups so many notifications together. After a write, it groups only their part again. */
export const partSize = 500;

/** The last details of a step that was skipped contain the cause; a failure can have several. */
const details = `CASE WHEN j.status = 'failed' THEN (
    SELECT json_group_array(json_array(value ->> 'detail', value ->> 'status',
      CASE WHEN value ->> 'status' IN ('Failed', 'Warning') THEN value ->> 'raw' END))
    FROM json_each(j.details))
  WHEN j.status IN ('canceled', 'skipped', 'merged') THEN
    json_extract(j.details, '$[#-3].detail', '$[#-2].detail', '$[#-1].detail')
  ELSE 'null' END`;

/** The jobs of a notification as JSON. Types and statuses are plain words. A join with grouping would take twice as long. */
const jobsOf = (notification: string) => `(SELECT
  '[' || group_concat('["' || j.type || '","' || j.status || '",' || ${details} || ']') || ']'
  FROM jobs j WHERE j.notification = ${notification})`;

/** The selected notifications with their jobs as text, as a table. The limit makes SQLite read each job once. */
const withJobs = (where: string, key: string) => `(
  SELECT n.rowid AS place, n.id, n.workflow, ${key} AS key, ${jobsOf('n.id')} AS jobs,
    CASE WHEN n.digested_by IS NULL THEN NULL ELSE ${jobsOf(mainDigest)} END AS carried
  FROM notifications n WHERE ${where} ORDER BY n.created_at DESC LIMIT ?)`;

const keys = { hour: 'substr(n.created_at, 1, 13)', event: 'n.transaction_id' };

/** The notifications of events of the environment. */
export const ofEvents = ({ environmentId }: Scope, ...transactionIds: string[]): Condition => [
  `n.env = ? AND ${isOneOf('n.transaction_id')}`,
  environmentId,
  toJson(transactionIds),
];

/** Notifications with adjacent row ids. The unary plus makes SQLite read only these. */
const ofPart = ({ environmentId }: Scope, part: number): Condition => [
  '+n.env = ? AND n.rowid BETWEEN ? AND ?',
  environmentId,
  part * partSize,
  (part + 1) * partSize - 1,
];

/** Groups notifications by hour or event, workflow, and the states of their steps. */
export function groupOutcomes(
  sql: Sql,
  condition: Condition,
  by: keyof typeof keys = 'hour',
): OutcomeGroup[] {
  const where = joinConditions([condition]);
  return sql
    .all<GroupRow>(
      `SELECT key, workflow, jobs, carried, count(*) AS count
       FROM ${withJobs(where.text, keys[by])} WHERE jobs IS NOT NULL GROUP BY 1, 2, 3, 4`,
      ...where.values,
      maxGrouped,
    )
    .map(({ jobs, carried, ...row }) => ({
      ...row,
      jobs: readJobs(jobs),
      carried: carried === null ? undefined : readJobs(carried),
      shape: jobs + (carried ?? ''),
    }));
}

type StoredDetails = [string, string, string | null][] | (string | null)[] | null;

const readJobs = (text: string): GroupedJob[] =>
  fromJson<[string, string, StoredDetails][]>(text).map(([type, status, found]) => [
    ...([type, status] as const),
    found?.flatMap((detail): [string, string, string | null][] =>
      typeof detail === 'string' ? [[detail, '', null]] : detail === null ? [] : [detail],
    ) ?? null,
  ]);

/** A temporary table of the notifications whose outcome may have changed. Triggers see every write, also of a snapshot. */
const changedTable = `CREATE TEMP TABLE changed (notification TEXT PRIMARY KEY) WITHOUT ROWID;
  ${['jobs', 'digests']
    .flatMap((table) => ['INSERT', 'UPDATE', 'DELETE'].map((event) => ({ table, event })))
    .map(
      ({ table, event }) => `CREATE TEMP TRIGGER ${event}_${table} AFTER ${event} ON main.${table}
        BEGIN INSERT OR IGNORE INTO changed
        VALUES (${event === 'DELETE' ? 'OLD' : 'NEW'}.notification); END;`,
    )
    .join('\n')}`;

/**
 * Notifications that a digest merged have the outcome of its main one. The part of a deleted notification is null.
 * CROSS JOIN keeps the order of the tables.
 */
const changedParts = `SELECT DISTINCT
    (SELECT rowid / ${partSize} FROM notifications WHERE id = c.notification) AS part
  FROM (SELECT notification FROM changed UNION SELECT other.notification FROM changed c
    CROSS JOIN jobs j ON j.notification = c.notification
    CROSS JOIN digests d ON d.job = j.id CROSS JOIN digests other ON other.main = d.main) c`;

/** Groups the newest outcomes since an hour such as `2026-01-15T12`. */
export type OutcomesSince = (scope: Scope, hour: string) => OutcomeGroup[];

export function createOutcomesSince(sql: Sql): OutcomesSince {
  let isWatching = false;
  /** By part, then by environment. */
  const kept = new Map<number, Map<string, OutcomeGroup[]>>();
  const dropChanged = () => {
    if (!isWatching) sql.exec(changedTable);
    isWatching = true;
    for (const { part } of sql.all<{ part: number | null }>(changedParts))
      if (part === null) kept.clear();
      else kept.delete(part);
    sql.run('DELETE FROM changed');
  };
  const groupPart = (scope: Scope, part: number): OutcomeGroup[] => {
    const ofEnvironments = kept.get(part) ?? new Map<string, OutcomeGroup[]>();
    const groups =
      ofEnvironments.get(scope.environmentId) ?? groupOutcomes(sql, ofPart(scope, part));
    kept.set(part, ofEnvironments.set(scope.environmentId, groups));
    return groups;
  };
  return (scope, hour) => {
    dropChanged();
    const found: OutcomeGroup[] = [];
    let left = maxGrouped;
    for (const { part } of sql.all<{ part: number }>(
      `SELECT DISTINCT rowid / ${partSize} AS part FROM notifications
       WHERE env = ? AND created_at >= ? ORDER BY 1 DESC`,
      scope.environmentId,
      hour,
    )) {
      if (left < partSize) break;
      const groups = groupPart(scope, part).filter(({ key }) => key >= hour);
      found.push(...groups);
      left -= groups.reduce((sum, { count }) => sum + count, 0);
    }
    return found;
  };
}

/** The time of the newest event; undefined without one. */
export const newestEventTime = ({ sql, environmentId }: Scope): string | undefined =>
  sql.get<{ created_at: string }>(
    'SELECT created_at FROM notifications WHERE env = ? ORDER BY created_at DESC LIMIT 1',
    environmentId,
  )?.created_at;

// The recipients of one event.

export interface RecipientFilter {
  /** A text in the id, name, email or phone. */
  text?: string | undefined;
  /** Only recipients whose jobs have one of these texts. */
  shapes?: readonly string[] | undefined;
  /** Only recipients after this place in the event. */
  after?: number | undefined;
}

/** Returns the notifications of an event in the order of their creation, with their places. */
export function recipientsOf(
  { sql, environmentId }: Scope,
  transactionId: string,
  { text, shapes, after }: RecipientFilter,
  limit: number,
): { place: number; id: string }[] {
  const where = joinConditions([
    ['n.env = ?', environmentId],
    ['n.transaction_id = ?', transactionId],
    ['n.rowid > ?', after],
    [
      'n.subscriber IN (SELECT id FROM subscribers WHERE env = ? AND instr(search, ?) > 0)',
      text && environmentId,
      text?.toLowerCase(),
    ],
  ]);
  if (shapes === undefined)
    return sql.all(
      `SELECT n.rowid AS place, n.id FROM notifications n WHERE ${where.text}
       ORDER BY n.rowid LIMIT ?`,
      ...where.values,
      limit,
    );
  return sql.all(
    `SELECT place, id FROM ${withJobs(where.text, keys.event)}
     WHERE jobs || coalesce(carried, '') IN (SELECT value FROM json_each(?))
     ORDER BY place LIMIT ?`,
    ...where.values,
    maxGrouped,
    toJson(shapes),
    limit,
  );
}

/** Returns the notifications of a subscriber, by internal id, newest first, with their places. */
export const notificationsOf = (
  { sql }: Scope,
  subscriber: string,
  before: number | undefined,
  limit: number,
): { place: number; id: string }[] =>
  // The unary plus makes SQLite sort the notifications of the subscriber instead of reading all in order.
  sql.all(
    `SELECT rowid AS place, id FROM notifications WHERE subscriber = ? AND rowid < ?
     ORDER BY +rowid DESC LIMIT ?`,
    subscriber,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );

// The jobs that are due next.

/** Waiting jobs of one workflow that are due in the same minute. */
export interface ComingJobs {
  /** When all of them are due: milliseconds since the epoch. */
  dueAt: number;
  count: number;
  /** The type of their steps. */
  type: string;
  /** Undefined for jobs of another environment. */
  workflow: { name: string; identifier: string } | undefined;
  /** The event of one of them. */
  transactionId: string;
}

const maxDue = 500;

/** Returns the jobs that are due first in any environment, of the 500 that come next. */
export const comingJobs = (sql: Sql, environmentId: string): ComingJobs[] =>
  sql
    .all<Omit<ComingJobs, 'workflow'> & { name: string | null; identifier: string | null }>(
      `SELECT max(d.at) AS dueAt, count(*) AS count, j.type, w.name, w.identifier,
         min(n.transaction_id) AS transactionId
       FROM (SELECT job, due_at AS at FROM due_jobs WHERE bridge = 0
         ORDER BY due_jobs.due_at LIMIT ?) d
       JOIN jobs j ON j.id = d.job JOIN notifications n ON n.id = j.notification
       LEFT JOIN workflows w ON w.id = n.workflow AND w.env = ?
       GROUP BY d.at / 60000, j.env, n.workflow, j.type ORDER BY 1`,
      maxDue,
      environmentId,
    )
    .map(({ name, identifier, ...jobs }) => ({
      ...jobs,
      workflow: name === null || identifier === null ? undefined : { name, identifier },
    }));
