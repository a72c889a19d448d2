// The texts of execution details: causes, reasons, times and schedules.
import { describe, expect, it } from 'vitest';
import {
  detailText,
  dueTime,
  failureTexts,
  findCause,
  rawObject,
  scheduleText,
} from '../../src/deliveries/details.ts';
import { detailTexts } from '../../src/service/job-outcomes.ts';

const detail = (text: string, more: object = {}) =>
  ({ detail: text, status: 'Failed', ...more }) as never;
const reason = (raw: string | null | undefined, text = 'Unexpected provider error') =>
  detailText(detail(text, { raw }));

describe('the reason of a failure', () => {
  it.each([
    ['550 mailbox full', ': 550 mailbox full'],
    ['  two\n  lines ', ': two lines'],
    ['  {"message":"no"}', ': no'],
    ['{"message":7,"error":"no"}', ': no'],
    ['{"message":null,"error":"no"}', ': no'],
    ['""', ''],
    ['', ''],
    ['   ', ''],
    [null, ''],
    [undefined, ''],
    ['{"message":"no"}', ': no'],
    ['{"error":"no"}', ': no'],
    ['{"reason":"no"}', ': no'],
    ['{"data":"no"}', ': no'],
    ['{"cause":"no"}', ': no'],
    ['{"cause":"later","message":"first"}', ': first'],
    ['{"message":"","error":"no"}', ': no'],
    ['{"message":"  ","error":"no"}', ': no'],
    ['{"error":{"message":"no"}}', ': no'],
    ['{"error":{"data":{"message":"no"}}}', ': no'],
    ['"no"', ': no'],
    ['{"other":1}', ': {"other":1}'],
    ['[1]', ': [1]'],
    ['{}', ''],
    ['[]', ''],
    ['{broken', ': {broken'],
    ['7', ': 7'],
  ])('in %j', (raw, expected) => {
    expect(reason(raw)).toBe(`Unexpected provider error${expected}`);
  });

  it('is not searched deeper than three levels', () => {
    const deep = '{"error":{"data":{"cause":{"message":"no"}}}}';
    expect(reason(deep)).toBe(`Unexpected provider error: ${deep}`);
    expect(reason(deep, 'Mailbox full')).toBe('Mailbox full');
  });

  it('is any text, also for a detail that says something', () => {
    for (const raw of ['7', '{broken'])
      expect(reason(raw, 'Mailbox full')).toBe(`Mailbox full: ${raw}`);
  });

  it.each([
    'Unexpected error',
    'Bridge execution failed',
    'Message content could not be generated',
  ])('is any data for the vague detail %s', (text) => {
    expect(reason('{"other":1}', text)).toBe(`${text}: {"other":1}`);
    expect(reason('{"other":1}', `Not ${text}`)).toBe(`Not ${text}`);
  });

  it('is not repeated, shortened, and only that of failures and warnings', () => {
    expect(reason('full', 'Mailbox full')).toBe('Mailbox full');
    const long = reason('x'.repeat(500));
    expect(long.length).toBeLessThan(240);
    expect(long).toMatch(/^Unexpected provider error: x+…$/);
    expect(detailText(detail('Sent', { status: 'Success', raw: 'why' }))).toBe('Sent');
    expect(detailText(detail('Slow', { status: 'Warning', raw: 'why' }))).toBe('Slow: why');
    const rule = detailTexts.skippedByRule;
    expect(reason('{"rule":1}', rule)).toBe(`${rule}: the conditions of the step skipped it`);
  });
});

describe('the failures of a job', () => {
  it('are listed once, without summaries and other details', () => {
    expect(
      failureTexts([
        detail('Sent', { status: 'Success' }),
        detail('Mailbox full'),
        detail('All providers failed'),
        detail('Mailbox full'),
        detail('Unknown host', { raw: 'x.example' }),
      ]),
    ).toEqual(['Mailbox full', 'Unknown host: x.example']);
  });

  it('are the summary or the last detail if there is nothing else', () => {
    const summary = detail('All providers failed');
    const sent = (text: string) => detail(text, { status: 'Success' });
    for (const details of [
      [sent('Sent'), summary],
      [summary, sent('Sent')],
    ])
      expect(failureTexts(details)).toEqual(['All providers failed']);
    expect(failureTexts([detail('Not All providers failed'), summary])).toEqual([
      'Not All providers failed',
    ]);
    expect(failureTexts([sent('Queued'), sent('Sent')])).toEqual(['Sent']);
    expect(failureTexts([])).toEqual([]);
  });
});

describe('the cause', () => {
  it('is that of the last detail that names one', () => {
    const first = detail('Subscriber missing email address', { createdAt: '1' });
    const last = detail('Subscriber missing email address', { createdAt: '2' });
    expect(findCause([first, last, detail('Other')])).toEqual({
      cause: 'missing_email',
      detail: last,
    });
    expect(findCause([detail('Nothing known')])).toBeUndefined();
    expect(findCause([])).toBeUndefined();
  });
});

describe('the object of a raw text', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['  {"a":1}', { a: 1 }],
    ['[1]', {}],
    ['{broken', {}],
    ['text', {}],
    [null, {}],
    [7, {}],
  ])('of %j', (raw, expected) => {
    expect(rawObject(detail('x', { raw }))).toEqual(expected);
  });
});

describe('the time when a step continues', () => {
  const due = (raw: object, createdAt: string | undefined = '2026-01-15T12:00:00.000Z') =>
    dueTime(detail('x', { raw: JSON.stringify(raw), createdAt }));

  it('is that of the detail, or its time with the delay', () => {
    expect(due({ throttledUntil: '2026-01-16' })).toBe('2026-01-16');
    expect(due({ delay: 1_500 })).toBe('2026-01-15T12:00:01.500Z');
    expect(due({ delayMs: 1_500 })).toBe('2026-01-15T12:00:01.500Z');
    expect(due({ delay: 1_000, delayMs: 2_000 })).toBe('2026-01-15T12:00:01.000Z');
  });

  it('is unknown without a valid one', () => {
    for (const raw of [
      {},
      { delay: null },
      { delay: '1500' },
      { delay: 1e300 },
      { throttledUntil: 7 },
    ])
      expect(due(raw)).toBeUndefined();
    for (const createdAt of ['', 'yesterday'])
      expect(due({ delay: 1_500 }, createdAt)).toBeUndefined();
    expect(dueTime(detail('x', { raw: '{"delay":1}' }))).toBeUndefined();
  });
});

describe('a schedule', () => {
  const open = (...hours: [string, string][]) => ({
    isEnabled: true,
    hours: hours.map(([start, end]) => ({ start, end })),
  });
  const day = open(['09:00 AM', '05:00 PM']);

  it.each<[Record<string, unknown>, string | undefined]>([
    [{ monday: day }, 'mon 09:00 AM-05:00 PM'],
    [{ monday: day, tuesday: day }, 'mon-tue 09:00 AM-05:00 PM'],
    [{ monday: day, wednesday: day }, 'mon 09:00 AM-05:00 PM, wed 09:00 AM-05:00 PM'],
    [{ saturday: day, sunday: day }, 'sat-sun 09:00 AM-05:00 PM'],
    [
      { monday: open(['09:00 AM', '12:00 PM'], ['01:00 PM', '05:00 PM']) },
      'mon 09:00 AM-12:00 PM and 01:00 PM-05:00 PM',
    ],
    [{ monday: day, tuesday: { ...day, isEnabled: false } }, 'mon 09:00 AM-05:00 PM'],
    [{ monday: { isEnabled: true, hours: [] } }, undefined],
    [{ monday: { isEnabled: true } }, undefined],
    [{}, undefined],
  ])('of %j', (weeklySchedule, expected) => {
    expect(scheduleText({ weeklySchedule })).toBe(expected);
    const zoned = expected === undefined ? undefined : `${expected} (Europe/Berlin)`;
    expect(scheduleText({ weeklySchedule }, 'Europe/Berlin')).toBe(zoned);
    expect(scheduleText({ weeklySchedule }, 7)).toBe(expected);
  });

  it.each([undefined, {}, { weeklySchedule: null }, { weeklySchedule: 'always' }])(
    'is absent in %j',
    (schedule) => {
      expect(scheduleText(schedule)).toBeUndefined();
    },
  );
});
