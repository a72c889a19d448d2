// Digest jobs by bucket: the main job that waits, and the jobs merged into it.
import type { Scope } from './scope.ts';
import { insertRow } from './table.ts';

/** `open`: a main digest that waits. `first`: a digest that a backoff passed immediately. */
export type DigestState = 'open' | 'merged' | 'done' | 'first' | 'canceled';

export interface DigestMember {
  job: string;
  notification: string;
  bucket: string;
}

export interface NewDigestMember extends DigestMember {
  /** The job of the main digest; for a main digest, its own job. */
  main: string;
  state: DigestState;
}

export function insertDigestMember(
  { sql, environmentId, now }: Scope,
  { job, notification, bucket, main, state }: NewDigestMember,
): void {
  const member = { job, notification, bucket, main, state };
  insertRow(sql, 'digests', { ...member, env: environmentId, at: Date.parse(now) });
}

/** Returns the main digest that waits in a bucket. */
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

/**
 * Whether a digest of the bucket that was passed immediately or is completed started after that time (milliseconds
 * since the epoch). The service does not count digests that still wait, or were merged or canceled.
 */
export const hasDigestedSince = (
  { sql, environmentId }: Scope,
  bucket: string,
  after: number,
): boolean =>
  sql.get(
    `SELECT 1 FROM digests WHERE env = ? AND bucket = ? AND at > ? AND state IN ('first', 'done') LIMIT 1`,
    environmentId,
    bucket,
    after,
  ) !== undefined;

/** Returns the jobs merged into a main digest, oldest first. */
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
