// Adds an execution detail to a job.
import type { ExecutionStatus } from '../../api/schemas/vocabulary.ts';
import { insertDetail, type StoredJob } from '../store/jobs.ts';
import { isChannel } from '../store/preferences.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Records what happened to a job. `raw` is text or a value that is stored as JSON. The detail of a channel step
 * names its provider.
 */
export function recordDetail(
  scope: Scope,
  job: Pick<StoredJob, 'id' | 'type' | 'providerId'>,
  status: ExecutionStatus,
  detail: string,
  raw?: string | object,
): void {
  const { ids, now } = scope;
  insertDetail(scope, {
    id: ids.objectId(),
    job: job.id,
    createdAt: now,
    status,
    detail,
    ...(isChannel(job.type) ? { providerId: job.providerId } : {}),
    ...(raw === undefined ? {} : { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
  });
}
