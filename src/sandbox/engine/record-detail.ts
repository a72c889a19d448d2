// What happened to a job, as its execution details tell it.
import { type DetailBody, insertDetail, type StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';

type Status = DetailBody['status'];

export function tell(
  scope: Scope,
  job: Pick<StoredJob, 'id'>,
  status: Status,
  detail: string,
  more: Pick<DetailBody, 'providerId' | 'raw'> = {},
): void {
  const { ids, now } = scope;
  insertDetail(scope, {
    id: ids.objectId(),
    job: job.id,
    createdAt: now,
    status,
    detail,
    ...more,
  });
}
