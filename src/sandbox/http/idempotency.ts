// Idempotency keys: what a key was answered is kept for a day, with the work itself, and replayed.
// On the machine's clock: moving the sandbox's does not make a repetition forgotten.
import { createHash } from 'node:crypto';
import type { Clock } from '../ids.ts';
import type { Sql } from '../store/sql.ts';
import { badRequest, conflict, unprocessable } from './http-error.ts';
import type { Answered } from './responses.ts';

export interface KeyedRequest {
  key: string;
  fingerprint: string;
}

export interface Idempotency {
  /** The key of a request and what it asks for; nothing where keys mean nothing. */
  read(request: Request, body: unknown): KeyedRequest | undefined;
  /** What the key was answered before, or nothing: then it is in progress until `release`. */
  claim(request: KeyedRequest): Answered | undefined;
  /** Keeps an answer. Belongs into the transaction of the work where there is one. */
  keep(request: KeyedRequest, answered: Answered): void;
  release(request: KeyedRequest): void;
}

const longestKey = 255;
const keyedMethods = ['POST', 'PATCH'];
const inProgressFor = 5 * 60 * 1000;
const keptFor = 24 * 60 * 60 * 1000;

export function createIdempotency(sql: Sql, clock: Clock): Idempotency {
  // In memory: work and answer are one transaction, so that with this process both are gone or kept.
  const inProgress = new Map<string, { fingerprint: string; since: number }>();

  const kept = (key: string) =>
    sql.get<{ fingerprint: string; status: number; body: string | null }>(
      'SELECT fingerprint, status, body FROM idempotency WHERE key = ? AND created_at > ?',
      key,
      clock.now() - keptFor,
    );

  return {
    read(request, body) {
      const key = request.headers.get('idempotency-key');
      if (!key || !keyedMethods.includes(request.method)) return undefined;
      if (key.length > longestKey) {
        throw badRequest(
          `idempotencyKey "${key}" has exceeded the maximum allowed length of ${longestKey} characters`,
        );
      }
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(body ?? null))
        .digest('hex');
      return { key, fingerprint };
    },

    claim({ key, fingerprint }) {
      const running = inProgress.get(key);
      const isRunning = running && clock.now() - running.since < inProgressFor;
      const before = isRunning ? undefined : kept(key);
      const known = isRunning ? running : before;
      if (known && known.fingerprint !== fingerprint) {
        throw unprocessable(`Request with key "${key}" is being reused for a different body`);
      }
      if (isRunning) {
        throw conflict(
          `Request with key "${key}" is currently being processed. Please retry after 1 second`,
          { headers: { 'retry-after': '1' } },
        );
      }
      if (before) return { status: before.status, text: before.body ?? undefined };
      inProgress.set(key, { fingerprint, since: clock.now() });
      return undefined;
    },

    keep({ key, fingerprint }, { status, text }) {
      const now = clock.now();
      sql.run('DELETE FROM idempotency WHERE created_at <= ?', now - keptFor);
      sql.run(
        `INSERT OR REPLACE INTO idempotency (key, fingerprint, status, body, created_at)
         VALUES (?, ?, ?, ?, ?)`,
        key,
        fingerprint,
        status,
        text ?? null,
        now,
      );
    },

    release: ({ key }) => void inProgress.delete(key),
  };
}
