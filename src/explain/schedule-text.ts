// Describes the schedule of a subscriber: `mon-fri 09:00 AM-05:00 PM (Europe/Berlin)`.
import { weekDays } from '../service/schemas/vocabulary.ts';

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
  if (hours.length === 0) return 'all day';
  return hours.map(({ start, end }) => `${start}-${end}`).join(' and ');
}
