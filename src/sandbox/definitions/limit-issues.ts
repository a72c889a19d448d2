// The issues of digests, delays and throttles that wait longer than the service allows.

import { isObject } from '../../core/objects.ts';
import { limits, waitLimitMessage } from '../../service/limits.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { timeUnits } from '../../service/schemas/vocabulary.ts';
import { nextCronTime } from '../engine/timing.ts';
import type { Issues } from './issues.ts';

const dayMs = 24 * 60 * 60 * 1000;

const unitMs: Record<string, number> = {
  seconds: 1000,
  minutes: 60 * 1000,
  hours: 60 * 60 * 1000,
  days: dayMs,
  weeks: 7 * dayMs,
  months: 30 * dayMs,
};

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
  const isUnit = (timeUnits as readonly unknown[]).includes(unit);
  const ms = isUnit ? Number(amount) * (unitMs[String(unit)] ?? 0) : 0;
  if (!(ms > limits.waitDays * dayMs)) return {};
  return { amount: [tooLong], unit: [tooLong] };
}

/** Whether a cron expression does not match for too long, in two years from any time on. */
function hasLongGap(cron: string): boolean {
  const first = nextCronTime(cron, 0, 'UTC');
  if (first === undefined) return false;
  let previous = first;
  for (let count = 0; count < 50; count += 1) {
    const next = nextCronTime(cron, previous, 'UTC') ?? Number.POSITIVE_INFINITY;
    if (next > first + 2 * 365 * dayMs) return false;
    if (next - previous > limits.waitDays * dayMs) return true;
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
