// Rules for the weekly schedule of a subscriber.
import { weekDays } from '../../api/schemas/vocabulary.ts';
import { type Field, type Fields, isBoolean, isString, matches, required } from './rules.ts';

const time = (): Field =>
  required(
    matches(
      /^(?:0?[1-9]|1[0-2]):[0-5][0-9] (?:AM|PM)$/i,
      (name) => `${name} must be in the format HH:MM AM/PM`,
    ),
    isString(),
  );

const day: Field = {
  rules: [],
  fields: {
    isEnabled: required(isBoolean),
    hours: { rules: [], fields: { start: time(), end: time() } },
  },
};

const daysOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.keys(value) : [];

const isKnownDay = (name: string) => (weekDays as readonly string[]).includes(name);

export const scheduleFields: Fields = {
  isEnabled: required(isBoolean),
  weeklySchedule: {
    rules: [],
    fields: Object.fromEntries(weekDays.map((name) => [name, day])),
  },
};

/** Rules on the schedule as a whole. */
export function scheduleMessage(schedule: unknown): string | undefined {
  if (typeof schedule !== 'object' || schedule === null) return undefined;
  const { isEnabled, weeklySchedule } = schedule as {
    isEnabled?: unknown;
    weeklySchedule?: unknown;
  };
  const unknown = daysOf(weeklySchedule).filter((name) => !isKnownDay(name));
  if (unknown.length > 0)
    return `schedule.weeklySchedule contains invalid day names: ${unknown.join(', ')}. Valid days are: ${weekDays.join(', ')}`;
  if (isEnabled === true && weeklySchedule !== undefined && daysOf(weeklySchedule).length === 0)
    return 'schedule.weeklySchedule must contain at least one day configuration when isEnabled is true';
  return undefined;
}
