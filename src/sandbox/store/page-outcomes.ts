// Counts the recipients of an event by outcome, for the list of events on the page of the sandbox.
import { channelTypes } from '../../service/schemas/vocabulary.ts';
import type { Scope } from './scope.ts';

export type Outcome = 'done' | 'failed' | 'waiting' | 'skipped';

const maxCounted = 1_000;

const channelList = channelTypes.map((type) => `'${type}'`).join(', ');

/**
 * Returns the numbers of recipients, of the first 1,000. `failed`: a step failed. `waiting`: a step has not run yet.
 * `done`: a message was sent. `skipped`: everything was skipped.
 */
export function countOutcomes(
  { sql, environmentId }: Scope,
  transactionId: string,
): { outcome: Outcome; count: number }[] {
  return sql.all<{ outcome: Outcome; count: number }>(
    `SELECT outcome, count(*) AS count FROM (
       SELECT CASE
         WHEN max(j.status = 'failed') THEN 'failed'
         WHEN max(j.status IN ('pending', 'queued', 'running', 'delayed')) THEN 'waiting'
         WHEN max(j.status = 'completed' AND j.type IN (${channelList})) THEN 'done'
         ELSE 'skipped' END AS outcome
       FROM (SELECT id FROM notifications WHERE env = ? AND transaction_id = ? LIMIT ?) n
       JOIN jobs j ON j.notification = n.id GROUP BY n.id)
     GROUP BY outcome ORDER BY outcome`,
    environmentId,
    transactionId,
    maxCounted,
  );
}
