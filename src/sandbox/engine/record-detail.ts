// Adds an execution detail to a job.
import { type DetailBody, insertDetail, type StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';

type Status = DetailBody['status'];

export function recordDetail(
  scope: Scope,
  job: Pick<StoredJob, 'id'>,
  status: Status,
  detail: string,
  extra: Pick<DetailBody, 'providerId' | 'raw'> = {},
): void {
  const { ids, now } = scope;
  insertDetail(scope, {
    id: ids.objectId(),
    job: job.id,
    createdAt: now,
    status,
    detail,
    ...extra,
  });
}
