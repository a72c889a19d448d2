// Idempotency keys: stores the response for each key for a day and replays it. Uses the system
// clock, so that moving the sandbox's clock does not expire keys.

import { createHash } from 'node:crypto';
import { unitMs } from '../../core/durations.ts';
import { limits } from '../../service/limits.ts';
import type { Clock } from '../store/ids.ts';
import type { Sql } from '../store/sql.ts';
import { badRequest, conflict, HttpError, unprocessable } from './http-error.ts';
import type { SerializedResponse } from './responses.ts';

export interface KeyedRequest {
  key: string;
  fingerprint: string;
}

export interface Idempotency {
  /** Returns undefined for requests without a key and for methods that ignore keys. */
  read(request: Request, body: unknown): KeyedRequest | undefined;
  /** Returns the stored response; without one, marks the key as in progress until `release`. */
  claim(request: KeyedRequest): SerializedResponse | undefined;
  /** Stores the response. Call it in the transaction of the handler, if there is one. */
  store(request: KeyedRequest, response: SerializedResponse): void;
  release(request: KeyedRequest): void;
}

const documentation = 'https://docs.novu.co/additional-resources/idempotency';
const keyedMethods = ['POST', 'PATCH'];
const inProgressTtlMs = 5 * unitMs.m;
const retentionMs = unitMs.d;

export function createIdempotency(sql: Sql, clock: Clock): Idempotency {
  // In memory is enough: the handler and its stored response share a transaction, so a crash loses
  // both or neither.
  /** When the request with a key began. */
  const inProgress = new Map<string, number>();

  const findStored = (key: string) =>
    sql.get<{ fingerprint: string; status: number; body: string | null }>(
      'SELECT fingerprint, status, body FROM idempotency WHERE key = ? AND created_at > ?',
      key,
      clock.now() - retentionMs,
    );

  return {
    read(request, body) {
      const key = request.headers.get('idempotency-key');
      if (!key || !keyedMethods.includes(request.method)) return undefined;
      if (key.length > limits.idempotencyKey) {
        throw badRequest(
          `idempotencyKey "${key}" has exceeded the maximum allowed length of ${limits.idempotencyKey} characters`,
        );
      }
      const fingerprint = createHash('sha256')
        .update(JSON.stringify(body ?? null))
        .digest('hex');
      return { key, fingerprint };
    },

    claim({ key, fingerprint }) {
      const since = inProgress.get(key);
      if (since !== undefined && clock.now() - since < inProgressTtlMs) {
        throw conflict(
          `Request with key "${key}" is currently being processed. Please retry after 1 second`,
          { headers: { 'idempotency-key': key, 'retry-after': '1', link: documentation } },
        );
      }
      const stored = findStored(key);
      if (stored && stored.fingerprint !== fingerprint) {
        throw unprocessable(`Request with key "${key}" is being reused for a different body`, {
          headers: { 'idempotency-key': key, link: documentation },
        });
      }
      if (stored) return replay(key, stored.status, stored.body ?? undefined);
      inProgress.set(key, clock.now());
      return undefined;
    },

    store({ key, fingerprint }, { status, text }) {
      const now = clock.now();
      sql.run('DELETE FROM idempotency WHERE created_at <= ?', now - retentionMs);
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

/** A stored success is sent again; a stored error is sent as 503, whatever it was. */
function replay(key: string, status: number, text: string | undefined): SerializedResponse {
  if (status >= 400) {
    throw new HttpError(503, 'Service Unavailable', {
      context: { statusCode: 503 },
      headers: { 'idempotency-key': key, 'idempotency-replay': 'true' },
    });
  }
  return { status, text, headers: { 'idempotency-key': key, 'idempotency-replay': 'true' } };
}
