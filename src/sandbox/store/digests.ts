// Digest jobs by bucket: the main job that waits, and the jobs merged into it. All of them have the id of the job that
// opened the digest, so that another job can become the main one without a change of the others.
import { toIso } from './clock.ts';
import type { Scope } from './scope.ts';
import { insertRow } from './table.ts';

/** `open`: a main digest that waits. `first`: a digest that a backoff passed immediately. */
export type DigestState = 'open' | 'merged' | 'done' | 'first' | 'canceled';

export interface DigestMember {
  job: string;
  notification: string;
  bucket: string;
  /** The job that opened the digest. */
  openedBy: string;
}

export interface NewDigestMember extends DigestMember {
  state: DigestState;
}

export function insertDigestMember(
  { sql, environmentId, now }: Scope,
  { job, notification, bucket, openedBy, state }: NewDigestMember,
): void {
  const member = { job, notification, bucket, main: openedBy, state };
  insertRow(sql, 'digests', { ...member, env: environmentId, at: Date.parse(now) });
}

const columns = 'job, notification, bucket, main AS openedBy';

/** Returns the main digest that waits in a bucket. */
export const openDigest = (
  { sql, environmentId }: Scope,
  bucket: string,
): DigestMember | undefined =>
  sql.get<DigestMember>(
    `SELECT ${columns} FROM digests WHERE env = ? AND bucket = ? AND state = 'open'`,
    environmentId,
    bucket,
  );

/**
 * Returns when the oldest other event since that time was triggered whose digest was passed immediately or is
 * completed. The service does not count digests that still wait, or were merged or canceled.
 */
export const firstDigested = (
  { sql, environmentId }: Scope,
  { bucket, notification }: Pick<DigestMember, 'bucket' | 'notification'>,
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
  sql.get<{ first: string }>(
    `SELECT n.created_at AS first FROM notifications n JOIN jobs j ON j.notification = n.id
     WHERE n.env = ? AND n.created_at >= ? AND n.workflow = ? AND n.subscriber = ? AND n.id <> ?
       AND j.type = 'digest' AND j.status = 'pending' ORDER BY n.created_at LIMIT 1`,
    ...[environmentId, toIso(since), workflow, subscriber, id],
  )?.first;

/** Returns the digest job with its digest. */
export const findDigest = ({ sql }: Scope, job: string): DigestMember | undefined =>
  sql.get<DigestMember>(`SELECT ${columns} FROM digests WHERE job = ?`, job);

const merged = (main: string) =>
  `SELECT ${columns} FROM digests WHERE main = ${main} AND state = 'merged' ORDER BY rowid`;

/** Returns the jobs merged into the digest of a main job, oldest first. */
export const mergedDigests = ({ sql }: Scope, mainJob: string): DigestMember[] =>
  sql.all<DigestMember>(merged('(SELECT main FROM digests WHERE job = ?)'), mainJob);

export const oldestMergedDigest = (
  { sql }: Scope,
  { openedBy }: DigestMember,
): DigestMember | undefined => sql.get<DigestMember>(`${merged('?')} LIMIT 1`, openedBy);

export const setDigestState = ({ sql }: Scope, job: string, state: DigestState): void =>
  void sql.run('UPDATE digests SET state = ? WHERE job = ?', state, job);
