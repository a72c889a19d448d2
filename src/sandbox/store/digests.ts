// Digest jobs by bucket: the main job that waits, and the jobs merged into it.
import { toIso } from '../time-range.ts';
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
 * Returns when the oldest other event since that time was triggered whose digest was passed immediately or is
 * completed. The service does not count digests that still wait, or were merged or canceled.
 */
export const firstDigested = (
  { sql, environmentId }: Scope,
  { bucket, notification }: DigestMember,
  since: number,
): string | undefined =>
  sql.get<{ first: string | null }>(
    `SELECT min(n.created_at) AS first FROM digests d JOIN notifications n ON n.id = d.notification
     WHERE d.env = ? AND d.bucket = ? AND d.at >= ? AND d.state IN ('first', 'done')
       AND n.id <> ? AND n.created_at >= ?`,
    ...[environmentId, bucket, since, notification, toIso(since)],
  )?.first ?? undefined;

/** The same for events whose digest is not reached yet. */
export const firstBeforeDigest = (
  { sql, environmentId }: Scope,
  { id, workflow, subscriber }: { id: string; workflow: string; subscriber: string },
  since: number,
): string | undefined =>
  sql.get<{ first: string | null }>(
    `SELECT min(n.created_at) AS first FROM notifications n JOIN jobs j ON j.notification = n.id
     WHERE n.env = ? AND n.created_at >= ? AND n.workflow = ? AND n.subscriber = ? AND n.id <> ?
       AND j.type = 'digest' AND j.status = 'pending'`,
    ...[environmentId, toIso(since), workflow, subscriber, id],
  )?.first ?? undefined;

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
