// The steps of the recipients of an event, for their outcomes. Recipients whose steps have the same statuses are one group.
import { mainDigest } from './notifications.ts';
import type { Scope } from './scope.ts';
import { fromJson } from './sql.ts';

export interface GroupedSteps {
  jobs: { type: string; status: string; position: number }[];
  /** The notification whose digest merged them. */
  digestedBy: string | undefined;
  count: number;
}

const maxCounted = 1_000;

interface GroupRow {
  jobs: string;
  main: string | null;
  count: number;
}

const toGroup = ({ jobs, main, count }: GroupRow): GroupedSteps => ({
  ...{ jobs: fromJson(jobs), digestedBy: main ?? undefined, count },
});

/** `n` selects notifications. */
const groups = (n: string) => `SELECT jobs, main, count(*) AS count FROM (
  SELECT n.main, json_group_array(
    json_object('type', j.type, 'status', j.status, 'position', j.position)) AS jobs
  FROM (${n}) n JOIN jobs j ON j.notification = n.id GROUP BY n.id)
  GROUP BY jobs, main`;

/** Returns the groups of the first 1,000 recipients of an event. */
export const groupRecipients = (
  { sql, environmentId }: Scope,
  transactionId: string,
): GroupedSteps[] =>
  sql
    .all<GroupRow>(
      groups(`SELECT n.id, CASE WHEN n.digested_by IS NULL THEN NULL ELSE ${mainDigest} END AS main
        FROM notifications n WHERE n.env = ? AND n.transaction_id = ? LIMIT ?`),
      environmentId,
      transactionId,
      maxCounted,
    )
    .map(toGroup);

/** Returns the steps of one notification. */
export function groupSteps({ sql }: Scope, notification: string): GroupedSteps | undefined {
  const row = sql.get<GroupRow>(
    groups(`SELECT n.id, ${mainDigest} AS main FROM notifications n WHERE n.id = ?`),
    notification,
  );
  return row && toGroup(row);
}
