// Events that passed a throttle step. Each event counts toward the limit until its window ends.
import { inTimeRange } from './due-jobs.ts';
import type { Scope } from './scope.ts';
import { insertRow } from './table.ts';

/** Returns the window that is open for a bucket: how many events passed, and its end. */
export const openThrottleWindow = (
  { sql, environmentId, now }: Scope,
  bucket: string,
): { count: number; until: number } | undefined =>
  sql.get<{ count: number; until: number }>(
    `SELECT count(*) AS count, ${inTimeRange('min(until)')} AS until FROM throttles
     WHERE env = ? AND bucket = ? AND until > ? GROUP BY bucket`,
    environmentId,
    bucket,
    Date.parse(now),
  );

export function recordThrottlePass(
  { sql, environmentId }: Scope,
  { job, bucket, until }: { job: string; bucket: string; until: number },
): void {
  insertRow(sql, 'throttles', { job, env: environmentId, bucket, until });
}
