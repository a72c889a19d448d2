// Reads the execution details of a job: the cause that they name, the reason of a failure, the end of a wait.

import { asObject, jsonOr } from '../core/objects.ts';
import { shorten } from '../core/text.ts';
import { type ChannelCause, causesByDetail, detailTexts } from '../service/job-outcomes.ts';
import type { ExecutionDetail } from '../service/schemas/activity.ts';
import { weekDays } from '../service/schemas/vocabulary.ts';

interface Finding {
  cause: ChannelCause;
  detail: ExecutionDetail;
}

/** The detail that explains why a job did not deliver; undefined if none does. */
export function findCause(details: readonly ExecutionDetail[]): Finding | undefined {
  for (const [pattern, cause] of causesByDetail) {
    const detail = details.findLast((entry) => pattern.test(detailText(entry)));
    if (detail) return { cause, detail };
  }
  return undefined;
}

/** The JSON object in the `raw` text of a detail; empty without one. */
export function rawObject({ raw }: ExecutionDetail): Record<string, unknown> {
  return typeof raw === 'string' ? asObject(jsonOr(raw, undefined)) : {};
}

/** When a detail says that its step continues; undefined if it does not say. */
export function dueTime(detail: ExecutionDetail): string | undefined {
  const { delayMs, delay = delayMs, throttledUntil } = rawObject(detail);
  if (typeof throttledUntil === 'string') return throttledUntil;
  const started = Date.parse(detail.createdAt ?? '');
  if (typeof delay !== 'number') return undefined;
  const due = new Date(started + delay);
  return Number.isNaN(due.getTime()) ? undefined : due.toISOString();
}

// Finds out why a job failed from its execution details. The reason is often only in the `raw` text of a detail.

const maxLength = 200;
/** Details that do not contain a reason. */
const vagueDetail = /^(Unexpected|Bridge execution failed|Message content could not be generated)/;
/** A detail that summarizes the failures before it. */
const summaryDetail = /^All .+ failed/;

const isFailure = ({ status }: ExecutionDetail) => status === 'Failed';

/** The reason behind a detail whose text is internal to the service. */
const meanings: Record<string, string> = {
  [detailTexts.skippedByRule]: 'the conditions of the step skipped it',
};

/** Returns a detail as text; for failures and warnings with the reason from `raw`. */
export function detailText(entry: ExecutionDetail): string {
  const { detail, raw } = entry;
  if (!isFailure(entry) && entry.status !== 'Warning') return detail;
  const reason = meanings[detail] ?? (raw ? reasonIn(raw, vagueDetail.test(detail)) : undefined);
  return reason === undefined || detail.includes(reason) ? detail : `${detail}: ${reason}`;
}

/** Returns the failures of a job without duplicates; the last detail if there are none. */
export function failureTexts(details: readonly ExecutionDetail[]): string[] {
  const failures = details.filter(isFailure);
  const causes = failures.filter(({ detail }) => !summaryDetail.test(detail));
  const relevant = causes.length > 0 ? causes : failures.length > 0 ? failures : details.slice(-1);
  return [...new Set(relevant.map(detailText))];
}

/** Returns the message in a raw text. JSON without a message is returned only for a vague detail. */
function reasonIn(raw: string, isDetailVague: boolean): string | undefined {
  const text = raw.trim();
  if (!/^[[{"]/.test(text)) return shortened(text);
  const value = jsonOr(text, undefined);
  const message = value === undefined ? text : messageIn(value);
  if (message !== undefined) return shortened(message);
  return isDetailVague && !isEmpty(value) ? shortened(text) : undefined;
}

/** Finds the text in `{"message": …}`, `{"error": …}` and similar, also nested. */
function messageIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (typeof value !== 'object' || value === null || depth > 2) return undefined;
  for (const name of ['message', 'error', 'reason', 'data', 'cause']) {
    const text = name in value ? messageIn(Reflect.get(value, name), depth + 1) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

const isEmpty = (value: unknown) => Object.keys(Object(value)).length === 0;

const shortened = (text: string) => shorten(text.replace(/\s+/g, ' '), maxLength);

// Describes the schedule of a subscriber: `mon-fri 09:00 AM-05:00 PM (Europe/Berlin)`.

interface Day {
  isEnabled?: boolean;
  hours?: { start?: string; end?: string }[];
}

/** `schedule` comes from a preference, or from the detail of a step outside the schedule. */
export function scheduleText(schedule: unknown, timezone?: unknown): string | undefined {
  const week = (schedule as { weeklySchedule?: Record<string, Day> } | undefined)?.weeklySchedule;
  if (typeof week !== 'object' || week === null) return undefined;
  const groups: { first: string; last: string; hours: string | undefined }[] = [];
  for (const day of weekDays) {
    const hours = hoursText(week[day]);
    const group = groups.at(-1);
    if (group?.hours === hours && group) group.last = day;
    else groups.push({ first: day, last: day, hours });
  }
  const open = groups.flatMap(({ first, last, hours }) =>
    hours === undefined
      ? []
      : [`${first === last ? short(first) : `${short(first)}-${short(last)}`} ${hours}`],
  );
  const zone = typeof timezone === 'string' ? ` (${timezone})` : '';
  return open.length === 0 ? undefined : `${open.join(', ')}${zone}`;
}

const short = (day: string) => day.slice(0, 3);

function hoursText(day: Day | undefined): string | undefined {
  if (!day?.isEnabled) return undefined;
  const { hours = [] } = day;
  if (hours.length === 0) return undefined;
  return hours.map(({ start, end }) => `${start}-${end}`).join(' and ');
}
