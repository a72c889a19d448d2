// Hours of a schedule as people and other programs write them. A range that is not valid opens nothing.
import { expect, it } from 'vitest';
import { isScheduleOpen } from '../../src/service/schedule.ts';
import type { Schedule } from '../../src/service/schemas/preferences.ts';

const thursdayNoon = Date.parse('2026-01-15T12:00:00.000Z');
const isOpen = (start: string, end: string) => {
  const thursday = { isEnabled: true, hours: [{ start, end }] };
  const schedule = { isEnabled: true, weeklySchedule: { thursday } } as Schedule;
  return isScheduleOpen(schedule, thursdayNoon, 'UTC');
};

it.each([
  ['09:00 AM', '05:00 PM', true],
  ['9:00 am', ' 5:00PM ', true],
  ['12:00 AM', '12:00 PM', true],
  ['09:00 AM', '05:00 PMx', false],
  ['x09:00 AM', '05:00 PM', false],
  ['09:00', '05:00 PM', false],
  ['09:00 AM', '', false],
  ['', '05:00 PM', false],
])('from %j to %j: open at noon is %s', (start, end, expected) => {
  expect(isOpen(start, end)).toBe(expected);
});
