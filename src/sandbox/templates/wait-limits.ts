// The issues of digests, delays and throttles that wait longer than the service allows.
import { unitMs } from '../../core/durations.ts';
import { isObject } from '../../core/objects.ts';
import { waitLimitMessage } from '../../service/limits.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { durationMs, isTooLong } from '../../service/time.ts';
import { nextCronTime } from '../../service/waits.ts';
import type { Issues } from './schema-issues.ts';

const tooLong = { issueType: 'TIER_LIMIT_EXCEEDED' as const, message: waitLimitMessage };

/** Reports amount and unit, both with the same message. */
export function limitIssues(
  type: StepType,
  { amount, unit, cron, type: kind }: Record<string, unknown>,
): Issues {
  const isWaiting = type === 'digest' || type === 'delay' || type === 'throttle';
  if (isWaiting && type !== 'throttle' && typeof cron === 'string')
    return hasLongGap(cron) ? { cron: [tooLong] } : {};
  if (!isWaiting || (kind === 'dynamic' && type !== 'throttle')) return {};
  if (!isTooLong(durationMs(Number(amount), unit) ?? 0)) return {};
  return { amount: [tooLong], unit: [tooLong] };
}

/** Whether a cron expression does not match for too long, in two years from any time on. */
function hasLongGap(cron: string): boolean {
  const first = nextCronTime(cron, 0, 'UTC');
  if (first === undefined) return false;
  let previous = first;
  for (let count = 0; count < 50; count += 1) {
    const next = nextCronTime(cron, previous, 'UTC') ?? Number.POSITIVE_INFINITY;
    if (next > first + 2 * 365 * unitMs.d) return false;
    if (isTooLong(next - previous)) return true;
    previous = next;
  }
  return false;
}

/** Whether a digest or delay has a cron expression that never matches. */
export const isCronInvalid = (type: StepType, values: unknown): boolean =>
  (type === 'digest' || type === 'delay') &&
  isObject(values) &&
  typeof values.cron === 'string' &&
  values.cron !== '' &&
  nextCronTime(values.cron, 0, 'UTC') === undefined;
