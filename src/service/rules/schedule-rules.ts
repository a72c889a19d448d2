// Rules for the weekly schedule of a subscriber.
import { weekDays } from '../schemas/vocabulary.ts';
import {
  type Field,
  type Fields,
  isBoolean,
  isString,
  matches,
  nested,
  type Rule,
  required,
} from './rules.ts';

const time = required(
  matches(
    /^(?:0?[1-9]|1[0-2]):[0-5][0-9]\s?(?:AM|PM)$/i,
    (name) => `${name} must be in 12-hour format (e.g., 09:00 AM or 9:00 AM)`,
  ),
  isString(),
);

const day: Field = nested({
  isEnabled: required(isBoolean),
  hours: nested({ start: time, end: time }),
});

const isKnownDay = (name: string) => (weekDays as readonly string[]).includes(name);

/** A schedule that is not enabled may have any days. */
const hasDays: Rule = (value, name, { parent }) => {
  if (Reflect.get(parent, 'isEnabled') !== true || !value) return undefined;
  const days = Object.keys(value);
  if (days.length === 0)
    return `${name} must contain at least one day configuration when isEnabled is true`;
  const unknown = days.filter((one) => !isKnownDay(one));
  if (unknown.length === 0) return undefined;
  return `${name} contains invalid day names: ${unknown.join(', ')}. Valid days are: ${weekDays.join(', ')}`;
};

export const scheduleFields: Fields = {
  isEnabled: required(isBoolean),
  weeklySchedule: nested(Object.fromEntries(weekDays.map((name) => [name, day])), hasDays),
};
