// The issues of digests, delays and throttles that wait longer than the service allows.

import { limits, waitLimitMessage } from '../../service/limits.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import { timeUnits } from '../../service/schemas/vocabulary.ts';
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

/** Reports amount and unit, both with the same message. */
export function limitIssues(
  type: StepType,
  { amount, unit, cron, type: kind }: Record<string, unknown>,
): Issues {
  const isWaiting = type === 'digest' || type === 'delay' || type === 'throttle';
  if (!isWaiting || cron || (kind === 'dynamic' && type !== 'throttle')) return {};
  const isUnit = (timeUnits as readonly unknown[]).includes(unit);
  const ms = isUnit ? Number(amount) * (unitMs[String(unit)] ?? 0) : 0;
  if (!(ms > limits.waitDays * dayMs)) return {};
  const issue = { issueType: 'TIER_LIMIT_EXCEEDED' as const, message: waitLimitMessage };
  return { amount: [issue], unit: [issue] };
}
