// The failure of a step that would wait for longer than the service allows.
import { detailTexts } from '../../service/execution-details.ts';
import { waitLimitMessage } from '../../service/limits.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { failedAndCanceled, type JobOutcome } from './outcome.ts';
import { recordDetail } from './record-detail.ts';

export function failTooLong(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Failed', detailTexts.waitTooLong, { errors: [waitLimitMessage] });
  return failedAndCanceled;
}
