// Local times of zones, durations, and the times that are possible.
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  durationMs,
  isSupportedTime,
  isTooLong,
  maxTime,
  toTimestamp,
  toWallTime,
  weekDayName,
  weekDayNumber,
  zonedText,
} from '../../src/service/time.ts';

const at = (text: string) => Date.parse(text);

describe('the local time', () => {
  it.each([
    ['2026-01-15T12:34:56Z', 'UTC', [2026, 1, 15, 4, 754]],
    ['2026-01-15T00:00:00Z', 'UTC', [2026, 1, 15, 4, 0]],
    ['2026-01-01T02:00:00Z', 'America/New_York', [2025, 12, 31, 3, 1260]],
    ['2026-01-31T23:30:00Z', 'Asia/Kolkata', [2026, 2, 1, 0, 300]],
    ['2026-01-15T12:00:00Z', '+02:00', [2026, 1, 15, 4, 840]],
    ['2026-01-15T12:00:00Z', 'nowhere', [2026, 1, 15, 4, 720]],
  ])('of %s in %s', (time, zone, [year, month, day, weekday, minutes]) => {
    expect(toWallTime(at(time), zone)).toEqual({ year, month, day, weekday, minutes });
  });

  it.each([
    ['2026-01-15T14:00:00Z', 'UTC', '2026-01-15 14:00:00 UTC'],
    ['2026-01-15T14:00:00Z', 'America/New_York', '2026-01-15 09:00:00 EST'],
    ['2026-07-15T14:00:00Z', 'America/New_York', '2026-07-15 10:00:00 EDT'],
    ['2026-01-15T14:00:00Z', '+02:00', '2026-01-15 16:00:00 +02:00'],
    ['2026-01-15T14:00:00Z', 'nowhere', '2026-01-15 14:00:00 UTC'],
  ])('of %s in %s as a text', (time, zone, expected) => {
    expect(zonedText(at(time), zone)).toBe(expected);
  });

  it('is formatted by one formatter per zone', () => {
    const zone = 'Antarctica/Troll';
    const summer = toWallTime(at('2026-07-15T12:00:00Z'), zone);
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    onTestFinished(() => made.mockRestore());
    expect(toWallTime(at('2026-07-15T12:00:00Z'), zone)).toEqual(summer);
    expect(made).not.toHaveBeenCalled();
  });

  it.each([
    [[2026, 1, 15, 540], 'UTC', '2026-01-15T09:00:00.000Z'],
    [[2026, 1, 15, 540], 'America/New_York', '2026-01-15T14:00:00.000Z'],
    [[2026, 7, 15, 540], 'America/New_York', '2026-07-15T13:00:00.000Z'],
    [[2026, 1, 32, 0], 'UTC', '2026-02-01T00:00:00.000Z'],
    [[2026, 1, 15, 540], 'Asia/Kolkata', '2026-01-15T03:30:00.000Z'],
    // Skipped by a change of the clocks, and after it.
    [[2026, 3, 29, 150], 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
    [[2026, 3, 29, 240], 'Europe/Berlin', '2026-03-29T02:00:00.000Z'],
    [[2026, 3, 8, 150], 'America/New_York', '2026-03-08T06:30:00.000Z'],
  ])('%j in %s as a timestamp', ([year = 0, month = 0, day = 0, minutes = 0], zone, expected) => {
    const time = toTimestamp({ year, month, day, minutes }, zone);
    expect(new Date(time).toISOString()).toBe(expected);
  });
});

it('days have names and numbers', () => {
  const names = [0, 1, 2, 3, 4, 5, 6, 7].map(weekDayName);
  expect(names).toEqual([
    ...['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ]);
  expect(names.map((name) => weekDayNumber(String(name)))).toEqual([0, 1, 2, 3, 4, 5, 6, 0]);
  for (const name of ['Sunday', 'sun', '']) expect(weekDayNumber(name)).toBe(-1);
});

describe('a duration', () => {
  it.each([
    [2, 'seconds', 2_000],
    [2, 'minutes', 120_000],
    [2, 'hours', 7_200_000],
    [2, 'days', 172_800_000],
    [2, 'weeks', 1_209_600_000],
    [2, 'months', 5_184_000_000],
    [0.5, 'seconds', 500],
    [0, 'days', 0],
    [-1, 'days', undefined],
    ['2', 'days', undefined],
    [Number.NaN, 'days', undefined],
    [Number.POSITIVE_INFINITY, 'days', undefined],
    [2, 'day', undefined],
    [2, undefined, undefined],
  ])('of %j %s', (amount, unit, expected) => {
    expect(durationMs(amount, unit)).toBe(expected);
  });

  it('is too long after 180 days', () => {
    const day = 24 * 60 * 60 * 1000;
    expect([180 * day, 180 * day + 1].map(isTooLong)).toEqual([false, true]);
  });
});

it('times from 1970 to the year 9999 are supported', () => {
  expect(new Date(maxTime).toISOString()).toBe('9999-12-31T23:59:59.999Z');
  expect([-1, 0, maxTime, maxTime + 1, Number.NaN].map(isSupportedTime)).toEqual([
    ...[false, true, true, false, false],
  ]);
});
