// Events that passed a throttle step. Each event counts toward the limit until its window ends.
import type { Scope } from './scope.ts';

export const countThrottlePasses = ({ sql, environmentId, now }: Scope, bucket: string): number =>
  sql.get<{ count: number }>(
    'SELECT count(*) AS count FROM throttles WHERE env = ? AND bucket = ? AND until > ?',
    environmentId,
    bucket,
    Date.parse(now),
  )?.count ?? 0;

export function recordThrottlePass(
  { sql, environmentId }: Scope,
  { job, bucket, until }: { job: string; bucket: string; until: number },
): void {
  sql.run(
    'INSERT INTO throttles (job, env, bucket, until) VALUES (?, ?, ?, ?)',
    job,
    environmentId,
    bucket,
    until,
  );
}
