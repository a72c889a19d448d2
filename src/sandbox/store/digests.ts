// Digest jobs by bucket: the main one that waits, and those that were merged into it.
import type { Scope } from './scope.ts';

/** `open` is a main digest that waits; `first` one that a backoff let pass at once. */
export type DigestState = 'open' | 'merged' | 'done' | 'first' | 'canceled';

export interface DigestMember {
  job: string;
  notification: string;
  bucket: string;
}

export interface NewDigestMember extends DigestMember {
  /** The main digest's job; its own for a main one. */
  main: string;
  state: DigestState;
}

export function insertDigestMember(
  { sql, environmentId, now }: Scope,
  { job, notification, bucket, main, state }: NewDigestMember,
): void {
  sql.run(
    `INSERT INTO digests (job, env, bucket, notification, main, state, at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    job,
    environmentId,
    bucket,
    notification,
    main,
    state,
    Date.parse(now),
  );
}

/** The main digest that waits in a bucket. */
export const openDigest = (
  { sql, environmentId }: Scope,
  bucket: string,
): DigestMember | undefined =>
  sql.get<DigestMember>(
    `SELECT job, notification, bucket FROM digests
     WHERE env = ? AND bucket = ? AND state = 'open'`,
    environmentId,
    bucket,
  );

/** Whether anything came to the bucket after that moment. */
export const hasDigestedSince = (
  { sql, environmentId }: Scope,
  bucket: string,
  after: number,
): boolean =>
  sql.get(
    `SELECT 1 FROM digests WHERE env = ? AND bucket = ? AND at > ? AND state <> 'canceled' LIMIT 1`,
    environmentId,
    bucket,
    after,
  ) !== undefined;

/** What was merged into a main digest, oldest first. */
export const mergedDigests = ({ sql }: Scope, main: string): DigestMember[] =>
  sql.all<DigestMember>(
    `SELECT job, notification, bucket FROM digests
     WHERE main = ? AND state = 'merged' ORDER BY rowid`,
    main,
  );

export function setDigest(
  { sql }: Scope,
  job: string,
  { state, main }: { state: DigestState; main?: string },
): void {
  sql.run(
    'UPDATE digests SET state = ?, main = coalesce(?, main) WHERE job = ?',
    state,
    main ?? null,
    job,
  );
}
