// Hours of a schedule as people and other programs write them. A range that is not valid opens nothing.
import { expect, it } from 'vitest';
import { isScheduleOpen, nextOpening } from '../../src/service/schedule.ts';
import type { Schedule } from '../../src/service/schemas/preferences.ts';

const thursdayNoon = Date.parse('2026-01-15T12:00:00.000Z');
type Hours = [start: string, end: string][];
const onDay = (day: string, ranges: Hours) => {
  const hours = ranges.map(([start, end]) => ({ start, end }));
  return { isEnabled: true, weeklySchedule: { [day]: { isEnabled: true, hours } } } as Schedule;
};
const isOpen = (start: string, end: string) =>
  isScheduleOpen(onDay('thursday', [[start, end]]), thursdayNoon, 'UTC');

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

it('all ranges of a day with a range that passes midnight count for the next day', () => {
  const lunch: Hours = [['11:00 AM', '01:00 PM']];
  const night: Hours = [['11:00 PM', '01:00 AM']];
  const opens = (ranges: Hours) => isScheduleOpen(onDay('wednesday', ranges), thursdayNoon, 'UTC');
  expect([lunch, [...lunch, ...night], [...night, ...lunch]].map(opens)).toEqual([
    ...[false, true, true],
  ]);
});

it.each<[string, Hours, string | undefined]>([
  ['thursday', [['10:00 AM', '11:00 AM']], '2026-01-22T10:00:00.000Z'],
  ['friday', [['10:00 AM', '11:00 AM']], '2026-01-16T10:00:00.000Z'],
  // Only whole ranges open, in the order of the schedule.
  [
    'thursday',
    [
      ['soon', '02:00 PM'],
      ['01:00 PM', 'late'],
      ['', ''],
      ['04:00 PM', '05:00 PM'],
      ['03:00 PM', '03:30 PM'],
    ],
    '2026-01-15T16:00:00.000Z',
  ],
  ['thursday', [['soon', 'late']], undefined],
  ['thursday', [], undefined],
])('on %s with %j opens next at %s', (day, hours, expected) => {
  const opening = nextOpening(onDay(day, hours), thursdayNoon, 'UTC');
  expect(opening === undefined ? opening : new Date(opening).toISOString()).toBe(expected);
});

it('a schedule whose week is missing never opens', () => {
  expect(nextOpening({ isEnabled: true }, thursdayNoon, 'UTC')).toBeUndefined();
});

it('opens later than now, also if daylight saving time moves the opening to now', () => {
  const schedule = onDay('sunday', [['02:30 AM', '05:00 AM']]);
  // 02:30 is skipped, and stands for 01:30, when the schedule is closed.
  const skipped = Date.parse('2026-03-08T06:30:00.000Z');
  expect(isScheduleOpen(schedule, skipped, 'America/New_York')).toBe(false);
  expect(nextOpening(schedule, skipped - 1, 'America/New_York')).toBe(skipped);
  expect(nextOpening(schedule, skipped, 'America/New_York')).toBe(
    Date.parse('2026-03-15T06:30:00.000Z'),
  );
});
