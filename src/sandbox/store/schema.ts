// The tables, as a list of migrations. Never edit a released migration: add another one.
// Fields used for filtering or sorting have columns; the rest of a record is JSON in `body`.

import { localError } from '../../core/errors.ts';
import { type Sql, toJson } from './sql.ts';

const baseTables = `
CREATE TABLE environments (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE api_keys (
  key TEXT PRIMARY KEY, env TEXT NOT NULL, hash TEXT NOT NULL
);
CREATE TABLE integrations (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, identifier TEXT NOT NULL, provider_id TEXT NOT NULL,
  channel TEXT NOT NULL, active INTEGER NOT NULL, is_primary INTEGER NOT NULL,
  created_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, identifier)
);
CREATE TABLE subscribers (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, subscriber_id TEXT NOT NULL, email TEXT,
  search TEXT NOT NULL, version INTEGER NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, subscriber_id)
);
CREATE TABLE credentials (
  env TEXT NOT NULL, subscriber TEXT NOT NULL, integration TEXT NOT NULL,
  provider_id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (subscriber, integration)
);
CREATE TABLE preferences (
  env TEXT NOT NULL, subscriber TEXT NOT NULL, workflow TEXT NOT NULL, body TEXT NOT NULL,
  UNIQUE (subscriber, workflow)
);
CREATE TABLE topics (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, key TEXT NOT NULL, key_fold TEXT NOT NULL,
  name TEXT, name_fold TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  UNIQUE (env, key)
);
CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, topic TEXT NOT NULL, subscriber TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (topic, subscriber)
);
CREATE TABLE contexts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, type TEXT NOT NULL, context_id TEXT NOT NULL,
  key_fold TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, type, context_id)
);
CREATE TABLE workflows (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, identifier TEXT NOT NULL, name TEXT NOT NULL,
  search TEXT NOT NULL, status TEXT NOT NULL, tags TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, last_triggered_at TEXT, body TEXT NOT NULL, UNIQUE (env, identifier)
);
CREATE TABLE events (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  created_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, transaction_id)
);
CREATE TABLE notifications (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  subscriber TEXT NOT NULL, severity TEXT NOT NULL, context_keys TEXT NOT NULL,
  channels TEXT NOT NULL, topics TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX notifications_by_age ON notifications (env, created_at, id);
CREATE INDEX notifications_by_transaction ON notifications (env, transaction_id);
CREATE TABLE jobs (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, notification TEXT NOT NULL, position INTEGER NOT NULL,
  type TEXT NOT NULL, status TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL,
  UNIQUE (notification, position)
);
CREATE TABLE execution_details (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, job TEXT NOT NULL, created_at TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX details_by_job ON execution_details (job, id);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, subscriber TEXT NOT NULL, channel TEXT NOT NULL,
  notification TEXT NOT NULL, job TEXT NOT NULL, workflow TEXT NOT NULL, read INTEGER NOT NULL,
  seen INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX messages_by_age ON messages (env, subscriber, channel, created_at, id);
`;

const engineTables = `
CREATE TABLE sandbox_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1), offset_ms INTEGER NOT NULL, frozen_at INTEGER
);
CREATE TABLE due_jobs (job TEXT PRIMARY KEY, env TEXT NOT NULL, due_at INTEGER NOT NULL);
CREATE INDEX due_jobs_by_time ON due_jobs (due_at);
CREATE TABLE digests (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, notification TEXT NOT NULL,
  main TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE INDEX digests_by_bucket ON digests (env, bucket, at);
CREATE INDEX digests_by_main ON digests (main);
CREATE TABLE throttles (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, until INTEGER NOT NULL
);
CREATE INDEX throttles_by_bucket ON throttles (env, bucket, until);
ALTER TABLE notifications ADD COLUMN digested_by TEXT;
CREATE INDEX messages_of_all ON messages (env, created_at, id);
CREATE INDEX messages_by_job ON messages (job);
`;

const idempotencyTable = `
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT,
  created_at INTEGER NOT NULL
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
`;

const layoutsTable = `
CREATE TABLE layouts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, layout_id TEXT NOT NULL, name TEXT NOT NULL,
  is_default INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, layout_id)
);
`;

const queueTables = `
CREATE TABLE sandbox_mode (
  one INTEGER PRIMARY KEY CHECK (one = 1), compat INTEGER NOT NULL
);
CREATE TABLE queued_events (
  id INTEGER PRIMARY KEY, env TEXT NOT NULL, run_at INTEGER NOT NULL, body TEXT NOT NULL
);
`;

const detailsInJobs = `
ALTER TABLE jobs ADD COLUMN details TEXT NOT NULL DEFAULT '[]';
UPDATE jobs SET details = (
  SELECT json_group_array(json_set(body, '$.id', id, '$.createdAt', created_at))
  FROM (SELECT * FROM execution_details WHERE job = jobs.id ORDER BY rowid)
);
DROP TABLE execution_details;
`;

/** For the page, which lists the few messages that were not sent among many. */
const indexOfUnsentMessages = `
CREATE INDEX messages_not_sent ON messages (env, created_at, id)
  WHERE json_extract(body, '$.status') <> 'sent';
`;

/** A notification now names the job that opened its digest; before, it named the notification of that job. */
const digestIndexes = `
DROP INDEX digests_by_bucket;
DROP INDEX digests_by_main;
CREATE INDEX digests_by_bucket ON digests (env, bucket, state, at);
CREATE INDEX digests_by_main ON digests (main, state);
CREATE INDEX digests_by_notification ON digests (notification);
UPDATE notifications SET digested_by = (
  SELECT main FROM digests WHERE notification = notifications.id AND state IN ('merged', 'canceled')
) WHERE digested_by IS NOT NULL;
DROP INDEX digests_by_notification;
CREATE INDEX notifications_by_subscriber ON notifications (subscriber, workflow, created_at);
`;

/** For listings, which are sorted by id unless another order is requested. */
const listingIndexes = `
CREATE INDEX subscribers_by_id ON subscribers (env, id);
CREATE INDEX subscribers_by_age ON subscribers (env, created_at, id);
CREATE INDEX topics_by_id ON topics (env, id);
CREATE INDEX contexts_by_id ON contexts (env, id);
CREATE INDEX subscriptions_by_topic ON subscriptions (topic, id);
CREATE INDEX subscriptions_by_subscriber ON subscriptions (subscriber, id);
`;

/** Records that only older clients use: groups and feeds of notifications, tenants, overrides, layouts of version 1. */
const recordsTable = `
CREATE TABLE records (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE INDEX records_by_key ON records (env, kind, key);
`;

/** A job whose step the endpoint of the application executes is due at once, until the endpoint has responded. */
const bridgeJobs = `
ALTER TABLE due_jobs ADD COLUMN bridge INTEGER NOT NULL DEFAULT 0;
`;

const migrations: readonly string[] = [
  baseTables,
  engineTables,
  idempotencyTable,
  layoutsTable,
  queueTables,
  detailsInJobs,
  indexOfUnsentMessages,
  digestIndexes,
  listingIndexes,
  recordsTable,
  bridgeJobs,
];

/** Tables whose rows belong to an environment. */
export const environmentTables = [
  'integrations',
  'subscribers',
  'credentials',
  'preferences',
  'topics',
  'subscriptions',
  'contexts',
  'workflows',
  'layouts',
  'events',
  'queued_events',
  'notifications',
  'jobs',
  'messages',
  'due_jobs',
  'digests',
  'throttles',
  'records',
] as const;

/** Tables that a reset empties. API keys are kept. */
export const dataTables = ['environments', ...environmentTables, 'idempotency'] as const;

/** The statements that create all tables of this version at once, which is faster than all migrations. */
let schemaText: string | undefined;

const readSchema = (sql: Sql) =>
  sql
    .all<{ sql: string }>(
      "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type = 'index'",
    )
    .map((row) => row.sql)
    .join(';\n');

/** Migrates the tables to the version of this program, within a transaction of the caller. Throws if the data comes from a newer svc. */
export function migrate(sql: Sql, place: string): void {
  const version = sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version > migrations.length) {
    throw localError(
      `The sandbox data in ${place} was written by a newer svc (schema version ${version}; this svc supports ${migrations.length}).`,
      { hint: 'Update svc, or use another folder with --data.' },
    );
  }
  if (version === migrations.length) return;
  const isNew = version === 0;
  sql.exec(isNew && schemaText ? schemaText : migrations.slice(version).join(''));
  if (isNew) schemaText ??= readSchema(sql);
  sql.exec(`PRAGMA user_version = ${toJson(migrations.length)}`);
}

// The rows of all data tables as JSON, to put the same data into another store without computing it again.

/** Per table with rows: its columns, and its rows as a JSON array of arrays, in UTF-8: the WebAssembly driver converts long texts slowly. */
export type SavedRows = { table: string; columns: string[]; rows: Uint8Array }[];

export function saveRows(sql: Sql): SavedRows {
  return dataTables.flatMap((table) => {
    const rows = sql.all<Record<string, unknown>>(`SELECT * FROM ${table} ORDER BY rowid`);
    const [first] = rows;
    if (first === undefined) return [];
    return {
      table,
      columns: Object.keys(first),
      rows: Buffer.from(toJson(rows.map(Object.values))),
    };
  });
}

/** Inserts saved rows into empty tables. */
export function restoreSavedRows(sql: Sql, saved: SavedRows): void {
  for (const { table, columns, rows } of saved) {
    const values = columns.map((_, index) => `value ->> ${index}`);
    sql.run(
      `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM json_each(CAST(? AS TEXT))`,
      rows,
    );
  }
}
