// The verdict of each step from its job, the jobs before it and the event of its digest.
import { describe, expect, it } from 'vitest';
import {
  failuresWithoutMessage,
  findDigestId,
  recipientOf,
  stepVerdicts,
  waitEnd,
  workflowIdentifier,
} from '../../src/deliveries/verdict.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

const at = '2026-01-15T12:00:00.000Z';
const later = '2026-01-15T13:00:00.000Z';
const hour = JSON.stringify({ delay: 3_600_000 });

/** `Failed: text` or `text`, with a raw text after ` | `. */
function detail(text: string) {
  const [head = '', raw = null] = text.split(' | ');
  const [status = '', name] = head.split(': ');
  return {
    ...{ _id: 'd', createdAt: at, raw },
    ...(name === undefined ? { detail: status, status: 'Success' } : { detail: name, status }),
  };
}

/** `email failed`, with its details. */
function job(state: string, ...details: string[]) {
  const [type = '', status = ''] = state.split(' ');
  return { _id: state, type, status, step: { _id: state }, executionDetails: details.map(detail) };
}

const event = (jobs: object[] | undefined, more: object = {}) =>
  ({ _id: 'e1', transactionId: 't1', createdAt: at, jobs, ...more }) as unknown as ActivityItem;

/** The verdict of the last step, without its detail and names. */
function verdictOf(...jobs: object[]): Record<string, unknown> {
  const {
    detail: found,
    channel: _channel,
    stepId: _stepId,
    ...verdict
  } = stepVerdicts(event(jobs)).at(-1) ?? { detail: undefined, channel: '', stepId: '' };
  const given = Object.entries(verdict).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...(found ? { detail: found.detail } : {}) };
}

describe('a step', () => {
  it('that is completed was delivered', () => {
    expect(verdictOf(job('email completed'))).toEqual({ verdict: 'delivered', cause: null });
    expect(verdictOf(job('email completed', 'First', 'Second', 'Last'))).toEqual({
      ...{ verdict: 'delivered', cause: null, detail: 'Last' },
    });
  });

  it('that is completed can have missed some addresses', () => {
    const sent = 'Message sent';
    const failed = 'Failed: Unexpected provider error | gone';
    const other = 'Failed: Unexpected provider error | full';
    const reason = (...details: string[]) => verdictOf(job('push completed', ...details)).reason;
    expect(reason(sent, failed)).toBe('not to 1 of 2 addresses: gone');
    expect(reason(sent, failed, failed, other)).toBe('not to 3 of 4 addresses: gone; full');
    expect(reason(sent, 'Failed: Unexpected provider error')).toBe('not to 1 of 2 addresses');
    for (const details of [
      [sent],
      [failed],
      [sent, 'Unexpected provider error'],
      [sent, 'Failed: Other'],
    ])
      expect(reason(...details)).toBeUndefined();
  });

  it.each(['canceled', 'skipped'])('that is %s has the cause of its details', (status) => {
    expect(verdictOf(job(`email ${status}`, 'Subscriber missing email address'))).toEqual({
      ...{ verdict: 'skipped', cause: 'missing_email', detail: 'Subscriber missing email address' },
    });
    expect(verdictOf(job(`email ${status}`, 'Other'))).toEqual({
      ...{ verdict: 'skipped', cause: 'canceled', detail: 'Other' },
    });
    expect(verdictOf(job(`email ${status}`))).toEqual({ verdict: 'skipped', cause: 'canceled' });
  });

  it('outside the schedule has its hours as the reason', () => {
    const monday = { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] };
    const raw = JSON.stringify({ schedule: { weeklySchedule: { monday } }, timezone: 'UTC' });
    const text = "The step was skipped as it fell outside the subscriber's schedule";
    expect(verdictOf(job('email skipped', `${text} | ${raw}`))).toMatchObject({
      ...{ cause: 'schedule', reason: 'mon 09:00 AM-05:00 PM (UTC)' },
    });
  });

  it('that failed has the reason of the failure', () => {
    expect(verdictOf(job('email failed', 'Failed: Unexpected provider error | full'))).toEqual({
      ...{ verdict: 'failed', cause: 'provider_error', reason: 'full' },
      detail: 'Unexpected provider error',
    });
    expect(verdictOf(job('email failed', 'Failed: Bridge execution failed'))).toEqual({
      ...{ verdict: 'failed', cause: 'template_error', detail: 'Bridge execution failed' },
    });
  });

  it('that failed in unknown words failed in the provider if there was a message', () => {
    expect(
      verdictOf(job('email failed', 'Message created', 'Failed: Odd', 'Failed: Worse')),
    ).toEqual({
      ...{ verdict: 'failed', cause: 'provider_error', reason: 'Odd; Worse', detail: 'Worse' },
    });
    expect(verdictOf(job('email failed', 'Failed: Odd'))).toEqual({
      ...{ verdict: 'failed', cause: 'template_error', reason: 'Odd', detail: 'Odd' },
    });
    expect(verdictOf(job('email failed'))).toEqual({ verdict: 'failed', cause: 'template_error' });
  });

  it('after a failed step was stopped by it', () => {
    const failed = job('sms failed', 'Success', 'Failed: Odd');
    expect(verdictOf(failed, job('email canceled', 'Other'))).toEqual({
      ...{ verdict: 'skipped', cause: 'halted', reason: 'sms: Odd', detail: 'Odd' },
    });
    const two = [job('chat failed', 'Failed: First'), failed];
    expect(verdictOf(...two, job('email canceled'))).toMatchObject({ reason: 'sms: Odd' });
    expect(verdictOf(job('sms failed', 'Last'), job('email canceled'))).toMatchObject({
      ...{ cause: 'halted', reason: 'sms: Last', detail: 'Last' },
    });
    const said = 'Failed: Step was canceled because a previous step failed';
    expect(verdictOf(failed, job('email canceled', said))).toMatchObject({ reason: 'sms: Odd' });
    expect(verdictOf(job('email canceled', said))).toEqual({
      verdict: 'skipped',
      cause: 'halted',
      detail: 'Step was canceled because a previous step failed',
    });
    expect(stepVerdicts(event([job('email canceled'), failed]))).toMatchObject([
      ...[{ cause: 'canceled' }, { verdict: 'failed' }],
    ]);
    const worse = job('sms failed', 'Failed: Odd', 'Failed: Worse', 'Success');
    expect(verdictOf(worse, job('delay completed'), job('email canceled'))).toEqual({
      ...{ verdict: 'skipped', cause: 'halted', reason: 'sms: Odd; Worse', detail: 'Worse' },
    });
  });

  it('after a throttle was stopped by it', () => {
    const raw = JSON.stringify({ throttledUntil: later });
    const throttle = job('throttle completed', `Throttle limit exceeded | ${raw}`);
    expect(verdictOf(throttle, job('email skipped', 'Other'))).toEqual({
      ...{ verdict: 'skipped', cause: 'throttled', detail: 'Throttle limit exceeded' },
      until: later,
    });
    const failed = job('sms failed', 'Failed: Odd');
    expect(verdictOf(throttle, failed, job('email skipped'))).toMatchObject({ cause: 'throttled' });
  });

  it('that is merged is part of a digest', () => {
    const text = 'Digest was merged with other digest';
    expect(verdictOf(job('digest merged', text), job('email merged'))).toEqual({
      ...{ verdict: 'skipped', cause: 'digest_merged', detail: text },
    });
    expect(verdictOf(job('email merged', text))).toMatchObject({ detail: text });
    expect(verdictOf(job('email merged'))).toEqual({ verdict: 'skipped', cause: 'digest_merged' });
  });

  it('that is not finished waits for a digest, a delay or its turn', () => {
    const start = `Step digested | ${hour}`;
    expect(verdictOf(job('digest delayed', start), job('email pending'))).toEqual({
      ...{ verdict: 'waiting', cause: 'digest_waiting', until: later, detail: 'Step digested' },
    });
    const delayed = job('delay delayed', `Step delayed | ${hour}`);
    expect(verdictOf(job('digest delayed', start), delayed, job('email pending'))).toMatchObject({
      ...{ cause: 'delayed_until', until: later, detail: 'Step delayed' },
    });
    expect(verdictOf(job('email queued', 'Last'))).toEqual({
      ...{ verdict: 'waiting', cause: null, reason: 'queued', detail: 'Last' },
    });
    expect(verdictOf(job('digest completed', start), job('email running'))).toMatchObject({
      ...{ cause: null, reason: 'running' },
    });
  });

  it('that stays pending after a failed digest or delay was stopped by it', () => {
    const failed = job('delay failed', 'Failed: Odd');
    expect(verdictOf(failed, job('email pending'))).toMatchObject({
      ...{ verdict: 'skipped', cause: 'halted', reason: 'delay: Odd' },
    });
    expect(verdictOf(failed, job('email queued'))).toMatchObject({ cause: null });
    expect(verdictOf(job('sms failed', 'Failed: Odd'), job('email pending'))).toMatchObject({
      ...{ verdict: 'waiting', reason: 'pending' },
    });
  });

  it('has its channel and id, and other steps have no verdict', () => {
    const jobs = [
      job('delay completed'),
      job('email completed'),
      { ...job('sms completed'), step: undefined },
    ];
    expect(stepVerdicts(event(jobs)).map(({ channel, stepId }) => [channel, stepId])).toEqual([
      ['email', 'email completed'],
      ['sms', undefined],
    ]);
    expect(stepVerdicts(event(undefined))).toEqual([]);
    const bare = { type: 'email', status: 'canceled' };
    expect(stepVerdicts(event([bare]))).toMatchObject([{ cause: 'canceled', detail: undefined }]);
  });
});

it('failed steps of an event without messages', () => {
  const failures = (...jobs: object[]) =>
    failuresWithoutMessage(event(jobs)).map(({ channel, cause }) => `${channel} ${cause}`);
  const request = job('http_request failed');
  expect(failures(request, job('delay completed'), job('delay failed', 'Failed: Odd'))).toEqual([
    ...['http_request http_request_failed', 'delay template_error'],
  ]);
  expect(failures(request, job('email completed'))).toEqual([]);
  expect(failuresWithoutMessage(event(undefined))).toEqual([]);
});

describe('a digest', () => {
  const merged = event([job('digest merged'), job('email merged'), job('sms completed')], {
    _digestedNotificationId: 'main',
  });
  const main = (more: object, ...jobs: object[]) =>
    event(jobs, { _id: 'main', transactionId: 't9', createdAt: later, ...more });
  const verdicts = (found: ActivityItem | undefined, item = merged) =>
    stepVerdicts(item, (id) => (id === 'main' ? found : undefined));

  it('decides the verdict of the steps that it carries', () => {
    const digest = { transactionId: 't9', at: later };
    expect(verdicts(main({}, job('digest completed'), job('email completed')))).toMatchObject([
      { channel: 'email', verdict: 'delivered', cause: null, digest },
      { channel: 'sms', verdict: 'delivered' },
    ]);
    const two = main({}, job('email failed', 'Failed: Odd'), {
      ...job('email completed'),
      step: { _id: 'email merged' },
    });
    expect(verdicts(two)[0]).toMatchObject({ verdict: 'delivered', digest });
    expect(verdicts(main({ createdAt: undefined }, job('email completed')))[0]).toMatchObject({
      digest: { transactionId: 't9', at: '' },
    });
  });

  it('without the step, or that is unknown, leaves it skipped', () => {
    for (const found of [undefined, main({}, job('chat completed'))])
      expect(verdicts(found)[0]).toMatchObject({ verdict: 'skipped', cause: 'digest_merged' });
    expect(verdicts(main({}, job('sms failed')))[1]).toMatchObject({ verdict: 'delivered' });
  });

  it('can be merged into another one, and servers can name a circle', () => {
    const next = event([job('email merged')], {
      ...{ _id: 'main', transactionId: 't2', _digestedNotificationId: 'last' },
    });
    const last = event([job('email failed', 'Failed: Odd')], { _id: 'last', transactionId: 't3' });
    const find = (id: string) => ({ main: next, last })[id];
    expect(stepVerdicts(merged, find)[0]).toMatchObject({
      ...{ verdict: 'failed', digest: { transactionId: 't3' } },
    });
    const circle = event([job('email merged')], { _digestedNotificationId: 'main', _id: 'main' });
    expect(stepVerdicts(merged, () => circle)[0]).toMatchObject({ cause: 'digest_merged' });
  });

  it('is named only by an event with a merged job', () => {
    expect(findDigestId(merged)).toBe('main');
    const more = { _digestedNotificationId: 'main' };
    expect(findDigestId(event([job('email completed')], more))).toBeUndefined();
    expect(findDigestId(event(undefined, more))).toBeUndefined();
    const unnamed = stepVerdicts(event([job('email merged')]), () => merged);
    expect(unnamed).toMatchObject([{ cause: 'digest_merged' }]);
    expect(unnamed[0]).not.toHaveProperty('digest');
  });
});

it('a wait ends when its start or its digest says', () => {
  const digest = { timed: { untilDate: later } };
  const wait = (...details: string[]) => job('digest delayed', ...details);
  expect(waitEnd(wait(`Step digested | ${hour}`) as never)).toBe(later);
  expect(waitEnd(wait('Step digested') as never)).toBeUndefined();
  expect(waitEnd({ ...wait(), digest } as never)).toBe(later);
  expect(waitEnd({ ...wait(), digest: {} } as never)).toBeUndefined();
});

it('names of an event', () => {
  const named = event([], {
    _subscriberId: 'internal',
    subscriber: { subscriberId: 'u1' },
    template: { triggers: [{ identifier: 'welcome' }] },
  });
  expect([recipientOf(named), workflowIdentifier(named)]).toEqual(['u1', 'welcome']);
  const bare = event([], { _subscriberId: 'internal' });
  expect([recipientOf(bare), workflowIdentifier(bare)]).toEqual(['internal', undefined]);
  for (const template of [{}, { triggers: [] }])
    expect(workflowIdentifier(event([], { template }))).toBeUndefined();
});
