// How long a step may wait, and the times of payloads that say until when.
import { unitMs } from '../../core/durations.ts';
import { detailTexts } from '../../service/execution-details.ts';
import { limits, waitLimitMessage } from '../../service/limits.ts';
import type { StoredJob } from '../store/jobs.ts';
import type { Scope } from '../store/scope.ts';
import { failedAndCanceled, type JobOutcome } from './outcome.ts';
import { recordDetail } from './record-detail.ts';

export const isTooLong = (ms: number) => ms > limits.waitDays * unitMs.d;

export function failTooLong(scope: Scope, job: StoredJob): JobOutcome {
  recordDetail(scope, job, 'Failed', detailTexts.waitTooLong, { errors: [waitLimitMessage] });
  return failedAndCanceled;
}

/** Reads an ISO time to the second, in UTC. Dates and times with an offset are not read. */
export function isoTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z?$/.test(value)) return undefined;
  const time = Date.parse(value.endsWith('Z') ? value : `${value}Z`);
  return Number.isNaN(time) ? undefined : time;
}
