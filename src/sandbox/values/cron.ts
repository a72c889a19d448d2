// The times of cron expressions.
import { Cron } from 'croner';
import { isTimeZone } from '../../service/rules/formats.ts';
import { isSupportedTime } from './time-range.ts';

/** Returns undefined if the expression is invalid or never matches again. */
export function nextCronTime(expression: string, time: number, zone: string): number | undefined {
  try {
    const cron = new Cron(expression, { timezone: isTimeZone(zone) ? zone : 'UTC', paused: true });
    const next = cron.nextRun(new Date(time))?.getTime();
    return next !== undefined && isSupportedTime(next) ? next : undefined;
  } catch {
    return undefined;
  }
}
