// Adds an execution detail to a job, which the caller saves.

import type { ExecutionStatus } from '../../service/schemas/vocabulary.ts';
import { isChannel } from '../../service/schemas/vocabulary.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Records what happened to a job. `raw` is text or a value that is stored as JSON. `note` is only shown on the page.
 * The detail of a channel step names its provider.
 */
export function recordDetail(
  scope: Scope,
  job: Pick<StoredJob, 'type' | 'providerId' | 'details'>,
  status: ExecutionStatus,
  detail: string,
  raw?: string | object,
  note?: string,
): void {
  const { ids, now } = scope;
  job.details.push({
    id: ids.objectId(),
    createdAt: now,
    status,
    detail,
    ...(isChannel(job.type) ? { providerId: job.providerId } : {}),
    ...(raw === undefined ? {} : { raw: typeof raw === 'string' ? raw : JSON.stringify(raw) }),
    ...(note === undefined ? {} : { note }),
  });
}
