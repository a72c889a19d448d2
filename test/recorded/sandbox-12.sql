-- The data folder of a sandbox from before it had versions of the service, with one topic.
BEGIN TRANSACTION;
CREATE TABLE api_keys (
  key TEXT PRIMARY KEY, env TEXT NOT NULL, hash TEXT NOT NULL
);
INSERT INTO "api_keys" VALUES('0123456789abcdef0123456789abcdef','67748580715b67c40eeeb148','3eb1bd439947eb762998e566ccc2e099c791118b2f40579cc4f7da2b5061b7f9');
INSERT INTO "api_keys" VALUES('6a68e4ba086989770889f231228f2e6a','67748580b8ff6a132c53c2f4','b2f28e4087b3b718675d17d73e0d92425608e14abbb8c01f864ed7460bc757fe');
CREATE TABLE contexts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, type TEXT NOT NULL, context_id TEXT NOT NULL,
  key_fold TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, type, context_id)
);
CREATE TABLE credentials (
  env TEXT NOT NULL, subscriber TEXT NOT NULL, integration TEXT NOT NULL,
  provider_id TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (subscriber, integration)
);
CREATE TABLE digests (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, notification TEXT NOT NULL,
  main TEXT NOT NULL, state TEXT NOT NULL, at INTEGER NOT NULL
);
CREATE TABLE due_jobs (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, due_at INTEGER NOT NULL,
  bridge INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE environments (
  id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, created_at TEXT NOT NULL, body TEXT NOT NULL
);
INSERT INTO "environments" VALUES('67748580715b67c40eeeb148','Development','2026-01-15T12:00:00.000Z','{"identifier":"1053ffd0a52f","type":"dev","color":"#808080"}');
CREATE TABLE events (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  created_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, transaction_id)
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
INSERT INTO "integrations" VALUES('6968d6c0b4e1546c30f4c8d2','67748580715b67c40eeeb148','in-app','svc','in_app',1,0,'2026-01-15T12:00:00.000Z','{"credentials":{},"name":"In-app inbox","updatedAt":"2026-01-15T12:00:00.000Z"}');
INSERT INTO "integrations" VALUES('6968d6c0b4e1546c30f4c8d3','67748580715b67c40eeeb148','email','sendgrid','email',1,1,'2026-01-15T12:00:00.001Z','{"credentials":{"apiKey":"sandbox-only","from":"hello@example.com","senderName":"Example"},"name":"SendGrid","updatedAt":"2026-01-15T12:00:00.000Z","priority":1}');
INSERT INTO "integrations" VALUES('6968d6c0b4e1546c30f4c8d4','67748580715b67c40eeeb148','sms','twilio','sms',1,1,'2026-01-15T12:00:00.002Z','{"credentials":{"accountSid":"sandbox-only","token":"sandbox-only","from":"+15550100"},"name":"Twilio","updatedAt":"2026-01-15T12:00:00.000Z","priority":1}');
INSERT INTO "integrations" VALUES('6968d6c0b4e1546c30f4c8d5','67748580715b67c40eeeb148','chat','slack','chat',1,0,'2026-01-15T12:00:00.003Z','{"credentials":{"applicationId":"sandbox-only","clientId":"1.2","secretKey":"sandbox-only"},"name":"Slack","updatedAt":"2026-01-15T12:00:00.003Z"}');
INSERT INTO "integrations" VALUES('6968d6c0b4e1546c30f4c8d6','67748580715b67c40eeeb148','push','fcm','push',1,0,'2026-01-15T12:00:00.004Z','{"credentials":{"serviceAccount":"{\"project_id\":\"sandbox-only\"}"},"name":"Firebase Cloud Messaging","updatedAt":"2026-01-15T12:00:00.004Z"}');
CREATE TABLE jobs (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, notification TEXT NOT NULL, position INTEGER NOT NULL,
  type TEXT NOT NULL, status TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL,
  details TEXT NOT NULL DEFAULT '[]', UNIQUE (notification, position)
);
CREATE TABLE layouts (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, layout_id TEXT NOT NULL, name TEXT NOT NULL,
  is_default INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (env, layout_id)
);
CREATE TABLE messages (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, subscriber TEXT NOT NULL, channel TEXT NOT NULL,
  notification TEXT NOT NULL, job TEXT NOT NULL, workflow TEXT NOT NULL, read INTEGER NOT NULL,
  seen INTEGER NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE notifications (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, transaction_id TEXT NOT NULL, workflow TEXT NOT NULL,
  subscriber TEXT NOT NULL, severity TEXT NOT NULL, context_keys TEXT NOT NULL,
  channels TEXT NOT NULL, topics TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, body TEXT NOT NULL, digested_by TEXT
);
CREATE TABLE preferences (
  env TEXT NOT NULL, subscriber TEXT NOT NULL, workflow TEXT NOT NULL, body TEXT NOT NULL,
  UNIQUE (subscriber, workflow)
);
CREATE TABLE queued_events (
  id INTEGER PRIMARY KEY, env TEXT NOT NULL, run_at INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE TABLE records (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, body TEXT NOT NULL
);
CREATE TABLE sandbox_clock (
  one INTEGER PRIMARY KEY CHECK (one = 1), offset_ms INTEGER NOT NULL, frozen_at INTEGER
);
CREATE TABLE sandbox_mode (
  one INTEGER PRIMARY KEY CHECK (one = 1), compat INTEGER NOT NULL
);
INSERT INTO "sandbox_mode" VALUES(1,1);
CREATE TABLE subscribers (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, subscriber_id TEXT NOT NULL, email TEXT,
  search TEXT NOT NULL, version INTEGER NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, body TEXT NOT NULL, UNIQUE (env, subscriber_id)
);
INSERT INTO "subscribers" VALUES('6968d6c0b4e1546c30f4c8d7','67748580715b67c40eeeb148','ada','ada@example.com','ada
 
ada@example.com
',0,'2026-01-15T12:00:00.000Z','2026-01-15T12:00:00.000Z','{"email":"ada@example.com"}');
CREATE TABLE subscriptions (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, topic TEXT NOT NULL, subscriber TEXT NOT NULL,
  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, UNIQUE (topic, subscriber)
);
CREATE TABLE throttles (
  job TEXT PRIMARY KEY, env TEXT NOT NULL, bucket TEXT NOT NULL, until INTEGER NOT NULL
);
CREATE TABLE topics (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, key TEXT NOT NULL, key_fold TEXT NOT NULL,
  name TEXT, name_fold TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,
  UNIQUE (env, key)
);
INSERT INTO "topics" VALUES('6968d6c0b4e1546c30f4c8d8','67748580715b67c40eeeb148','kept','kept','Kept','kept','2026-01-15T12:00:00.000Z','2026-01-15T12:00:00.000Z');
CREATE TABLE workflows (
  id TEXT PRIMARY KEY, env TEXT NOT NULL, identifier TEXT NOT NULL, name TEXT NOT NULL,
  search TEXT NOT NULL, status TEXT NOT NULL, tags TEXT NOT NULL, created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL, last_triggered_at TEXT, body TEXT NOT NULL, UNIQUE (env, identifier)
);
CREATE INDEX idempotency_by_age ON idempotency (created_at);
CREATE INDEX subscribers_by_id ON subscribers (env, id);
CREATE INDEX subscribers_by_age ON subscribers (env, created_at, id);
CREATE INDEX topics_by_id ON topics (env, id);
CREATE INDEX subscriptions_by_topic ON subscriptions (topic, id);
CREATE INDEX subscriptions_by_subscriber ON subscriptions (subscriber, id);
CREATE INDEX contexts_by_id ON contexts (env, id);
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
CREATE INDEX messages_not_sent ON messages (env, created_at, id)
  WHERE json_extract(body, '$.status') <> 'sent';
CREATE INDEX records_by_key ON records (env, kind, key);
COMMIT;
PRAGMA user_version = 12;
