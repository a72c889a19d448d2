// The tables of the store. Data that another version of svc wrote is refused.
// Fields used for filtering or sorting have columns; the rest of a record is JSON in `body`.

import { localError } from '../../core/errors.ts';
import { type Sql, toJson } from './sql.ts';

const subscriptionsTable = `CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, topic TEXT NOT NULL, subscriber TEXT NOT NULL,
  identifier TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL,
  UNIQUE (env, identifier)
);
`;
const subscriptionIndexes = `CREATE INDEX subscriptions_by_topic ON subscriptions (topic, id);
CREATE INDEX subscriptions_by_subscriber ON subscriptions (subscriber, id);
`;

const tables = `
CREATE TABLE sandbox_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1), offset_ms INTEGER NOT NULL, frozen_at INTEGER
);
CREATE TABLE sandbox_mode (
  one INTEGER PRIMARY KEY CHECK (one = 1), compat INTEGER NOT NULL,
  service TEXT NOT NULL
);
CREATE TABLE environments (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE api_keys (
  key TEXT PRIMARY KEY, env TEXT NOT NULL, hash TEXT NOT NULL
);
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, status INTEGER NOT NULL, body TEXT,
  created_at INTEGER NOT NULL
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
${subscriptionsTable}CREATE TABLE contexts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, type TEXT NOT NULL, context_id TEXT NOT NULL,
  key_fold TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, type, context_id)
);
CREATE TABLE workflows (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, identifier TEXT NOT NULL, name TEXT NOT NULL,
  search TEXT NOT NULL, status TEXT NOT NULL, tags TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, last_triggered_at TEXT, body TEXT NOT NULL, UNIQUE (env, identifier)
);
CREATE TABLE layouts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, layout_id TEXT NOT NULL, name TEXT NOT NULL,
  is_default INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, layout_id)
);
CREATE TABLE events (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  created_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, transaction_id)
);
-- Accepted events whose jobs do not exist yet.
CREATE TABLE queued_events (
  id INTEGER PRIMARY KEY, env TEXT NOT NULL, run_at INTEGER NOT NULL, body TEXT NOT NULL
);
-- digested_by is the job that opened the digest which took the notification in.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  subscriber TEXT NOT NULL, severity TEXT NOT NULL, context_keys TEXT NOT NULL,
  channels TEXT NOT NULL, topics TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, body TEXT NOT NULL, digested_by TEXT
);
CREATE TABLE jobs (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, notification TEXT NOT NULL, position INTEGER NOT NULL,
  type TEXT NOT NULL, status TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '[]', UNIQUE (notification, position)
);
-- A job with bridge = 1, whose step the endpoint of the application executes, stays due until the endpoint has responded.
CREATE TABLE due_jobs (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, due_at INTEGER NOT NULL,
  bridge INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE digests (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, notification TEXT NOT NULL,
  main TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE throttles (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, until INTEGER NOT NULL
);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, subscriber TEXT NOT NULL, channel TEXT NOT NULL,
  notification TEXT NOT NULL, job TEXT NOT NULL, workflow TEXT NOT NULL, read INTEGER NOT NULL,
  seen INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
-- What only older clients use: groups and feeds of notifications, tenants, overrides, layouts of version 1.
CREATE TABLE records (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
`;

/** For the channel endpoints of a subscriber. */
const recordsIndex = `CREATE INDEX records_by_subscriber ON records (env, kind, body ->> '$.subscriberId');
`;

/** Listings are sorted by id unless another order is requested. */
const indexes = `
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX subscribers_by_id ON subscribers (env, id);
CREATE INDEX subscribers_by_age ON subscribers (env, created_at, id);
CREATE INDEX topics_by_id ON topics (env, id);
${subscriptionIndexes}CREATE INDEX contexts_by_id ON contexts (env, id);
CREATE INDEX notifications_by_age ON notifications (env, created_at, id);
CREATE INDEX notifications_by_transaction ON notifications (env, transaction_id);
CREATE INDEX notifications_by_subscriber ON notifications (subscriber, workflow, created_at);
CREATE INDEX due_jobs_by_time ON due_jobs (due_at);
CREATE INDEX digests_by_bucket ON digests (env, bucket, state, at);
CREATE INDEX digests_by_main ON digests (main, state);
CREATE INDEX throttles_by_bucket ON throttles (env, bucket, until);
CREATE INDEX messages_by_age ON messages (env, subscriber, channel, created_at, id);
CREATE INDEX messages_of_all ON messages (env, created_at, id);
CREATE INDEX messages_by_job ON messages (job);
-- For the page, which lists the few messages that were not sent among many.
CREATE INDEX messages_not_sent ON messages (env, created_at, id)
  WHERE json_extract(body, '$.status') <> 'sent';
CREATE INDEX records_by_key ON records (env, kind, key);
${recordsIndex}`;

/** Raise it with each change of the tables. */
const schemaVersion = 14;

/** From 12 of before the sandbox had versions of the service. */
const upgrades: Readonly<Record<number, string>> = {
  12: `ALTER TABLE sandbox_mode ADD COLUMN service TEXT NOT NULL DEFAULT '3.11';
    ALTER TABLE subscriptions RENAME TO older;
    DROP INDEX subscriptions_by_topic;
    DROP INDEX subscriptions_by_subscriber;
    ${subscriptionsTable}
    INSERT INTO subscriptions SELECT o.id, o.env, o.topic, o.subscriber,
      'tk_' || t.key || ':si_' || s.subscriber_id, o.created_at, o.updated_at, '{"contextKeys":[]}'
      FROM older o JOIN topics t ON t.id = o.topic JOIN subscribers s ON s.id = o.subscriber;
    DROP TABLE older;
    ${subscriptionIndexes}${recordsIndex}`,
  13: recordsIndex,
};

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

/** Creates the tables in a new database, within a transaction of the caller. Throws if another svc wrote the data. */
export function createTables(sql: Sql, place: string): void {
  const version = sql.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (version === schemaVersion) return;
  const upgrade = upgrades[version];
  if (version !== 0 && upgrade === undefined)
    throw localError(
      `The sandbox data in ${place} was written by another version of svc (schema version ${version}; this svc has ${schemaVersion}).`,
      {
        hint: 'Delete the folder: the sandbox then starts with its seed data. To keep the data, use the version that wrote it, or another folder with --data.',
      },
    );
  sql.exec(`${upgrade ?? tables + indexes}PRAGMA user_version = ${schemaVersion}`);
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
