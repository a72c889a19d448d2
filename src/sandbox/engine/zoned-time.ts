// Wall clocks of time zones, from what Intl knows of them. Pure.

export interface WallTime {
  year: number;
  /** 1 to 12. */
  month: number;
  day: number;
  /** 0 is Sunday. */
  weekday: number;
  /** Minutes since midnight. */
  minutes: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making a format costs more than all its uses. A zone that is unknown is UTC. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: isTimeZone(zone) ? zone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < 1000) formats.set(zone, made);
  return made;
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

export function wallTime(time: number, zone: string): WallTime {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(time)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = part;
  return {
    year,
    month,
    day,
    weekday: new Date(Date.UTC(year, month - 1, day)).getUTCDay(),
    minutes: hour * 60 + minute,
  };
}

/**
 * The moment at which the clocks of a zone show a time. `day` may run over the end of its month.
 * A time that the clocks leap over is taken as one after the leap.
 */
export function momentOf(
  { year, month, day, minutes }: Omit<WallTime, 'weekday'>,
  zone: string,
): number {
  const wanted = Date.UTC(year, month - 1, day, 0, minutes);
  const first = wanted - offsetAt(wanted, zone);
  return wanted - offsetAt(first, zone);
}

/** How far the clocks of a zone are ahead of UTC. */
function offsetAt(time: number, zone: string): number {
  const { year, month, day, minutes } = wallTime(time, zone);
  const whole = Math.floor(time / 60_000) * 60_000;
  return Date.UTC(year, month - 1, day, 0, minutes) - whole;
}
