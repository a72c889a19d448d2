// Times in ISO 8601 on a command line.
import { afterEach, expect, it, vi } from 'vitest';
import { isoTime } from '../../src/core/durations.ts';
import { readTime } from '../../src/input/values.ts';

afterEach(() => vi.restoreAllMocks());

it.each([
  ['2026-01-15', '2026-01-15T00:00:00.000Z'],
  ['2026-01-15T12:00', '2026-01-15T12:00:00.000Z'],
  ['2026-01-15 12:00:30', '2026-01-15T12:00:30.000Z'],
  ['2026-01-15T12:00:00.5Z', '2026-01-15T12:00:00.500Z'],
  ['2026-01-15T12:00+02:00', '2026-01-15T10:00:00.000Z'],
  ['2026-01-15 12:00:00 +0200', '2026-01-15T10:00:00.000Z'],
])('%s means %s, in every time zone of the machine', (text, expected) => {
  const { parse } = Date;
  // A thread cannot change its time zone: a time of day without an offset is read as in New York.
  vi.spyOn(Date, 'parse').mockImplementation((given) =>
    parse(/:\d\d(\.\d+)?$/.test(given) && !/[+-]\d\d:\d\d$/.test(given) ? `${given}-05:00` : given),
  );
  expect(new Date(isoTime(text) ?? 0).toISOString()).toBe(expected);
  expect(readTime(text, 0, '--since')).toBe(expected);
});

it.each([
  '2026-01-15 (noon)',
  '2026-01-15 12:00 GMT+2',
  '2026-01-15T25:00',
  'Jan 15 2026',
  'now',
  '',
])('rejects %j', (text) => {
  expect(isoTime(text)).toBeUndefined();
  expect(() => readTime(text, 0, '--since')).toThrow('neither a duration');
});
