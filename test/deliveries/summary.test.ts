// Counts of the deliveries of many events: by recipient, channel, reason and cause.
import { describe, expect, it } from 'vitest';
import { createDeliveries } from '../../src/deliveries/summary.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

type JobText = string;

/** `email failed` with the detail `email failed: detail`, and JSON in the raw text after ` | `. */
function job(text: JobText, index: number) {
  const [state = '', more] = text.split(': ');
  const [type = '', status = ''] = state.split(' ');
  const [detail, raw = null] = more?.split(' | ') ?? [];
  const failed = status === 'failed' ? 'Failed' : 'Success';
  return {
    ...{ _id: `j${index}`, type, status, step: { _id: `s${index}` } },
    executionDetails:
      detail === undefined
        ? []
        : [{ _id: 'd', detail, raw, status: failed, createdAt: '2026-01-15T12:00:00.000Z' }],
  };
}

/** An event `t1`, or `t1/u2` for a recipient, with its jobs. */
function event(name: string, jobs: JobText[] | undefined, more: object = {}): ActivityItem {
  const [transactionId = '', subscriberId = 'u1'] = name.split('/');
  return {
    ...{ _id: name, transactionId, _subscriberId: 's', subscriber: { _id: 's', subscriberId } },
    createdAt: '2026-01-15T12:00:00.000Z',
    ...(jobs ? { jobs: jobs.map(job) } : {}),
    ...more,
  } as unknown as ActivityItem;
}

function deliveriesOf(...events: ActivityItem[]) {
  const deliveries = createDeliveries();
  for (const one of events) deliveries.add(one);
  return deliveries;
}

const missingEmail = 'email canceled: Subscriber missing email address';
const digesting = (until: string) =>
  `digest delayed: Step digested | {"delay":${Date.parse(until) - Date.parse('2026-01-15T12:00:00.000Z')}}`;

describe('the summary', () => {
  it('counts recipients, messages by channel, and reasons, most frequent first', () => {
    const deliveries = deliveriesOf(
      event('t1/u1', ['in_app completed', 'email completed']),
      event('t1/u2', ['in_app completed', 'email failed: Mailbox full']),
      event('t2', ['email completed', missingEmail]),
      event('t3', [missingEmail]),
      event('t4', ['email queued']),
      event('t5', undefined),
    );
    const summary = deliveries.summary(['t1', 't2', 't3', 't4', 't5', 't6'], 0);
    expect(summary).toEqual({
      ...{ recipients: 7, finished: 4, missing: 2, partlyDelivered: 1, nextDueAt: undefined },
      outcomes: { delivered: 2, failed: 1, skipped: 1, waiting: 3 },
      channels: new Map([
        ['in_app', { delivered: 2, failed: 0, skipped: 0, waiting: 0 }],
        ['email', { delivered: 2, failed: 1, skipped: 2, waiting: 1 }],
      ]),
      reasons: [
        {
          text: 'email skipped: The subscriber had no e-mail address.',
          count: 2,
          isWaiting: false,
        },
        { text: 'the event is not in the activity yet', count: 2, isWaiting: true },
        { text: expect.stringContaining('Mailbox full'), count: 1, isWaiting: false },
        { text: expect.stringMatching(/^email waiting: /), count: 1, isWaiting: true },
      ],
      causes: [
        { cause: 'queued', count: 3 },
        { cause: 'missing_email', count: 2 },
        { cause: expect.any(String), count: 1 },
      ],
    });
  });

  it('counts recipients with a failed and a delivered message', () => {
    const partly = (...jobs: string[]) =>
      deliveriesOf(event('t1', jobs)).summary(['t1'], 0).partlyDelivered;
    expect(partly('in_app completed', 'email failed')).toBe(1);
    expect(partly('in_app skipped', 'email failed')).toBe(0);
    expect(partly('in_app completed', 'email skipped')).toBe(0);
  });

  it('of no events has no reasons', () => {
    expect(createDeliveries().summary([], 0)).toMatchObject({
      ...{ recipients: 0, finished: 0, missing: 0, reasons: [], causes: [] },
    });
  });

  it('counts rejected events as failed, at most those that are absent', () => {
    const deliveries = deliveriesOf(event('t1', ['email completed']));
    expect(deliveries.summary(['t1', 't2', 't3'], 1)).toMatchObject({
      ...{ recipients: 3, finished: 2, missing: 1 },
      outcomes: { delivered: 1, failed: 1, skipped: 0, waiting: 1 },
      reasons: [
        { text: 'rejected by the service', count: 1, isWaiting: false },
        { text: 'the event is not in the activity yet', count: 1, isWaiting: true },
      ],
      causes: [
        { cause: 'rejected', count: 1 },
        { cause: 'queued', count: 1 },
      ],
    });
    expect(deliveries.summary(['t1', 't2', 't3'], 9)).toMatchObject({
      ...{ missing: 0, outcomes: { failed: 2, waiting: 0 } },
    });
  });

  it('has the events of workflows without steps', () => {
    const deliveries = deliveriesOf(
      event('t1/u1', [], { channels: [] }),
      event('t1/u2', [], { channels: [] }),
      event('t2', [], { channels: ['email'] }),
    );
    expect(deliveries.summary(['t1', 't2'], 0)).toMatchObject({
      ...{ recipients: 3, finished: 2, missing: 1 },
      outcomes: { skipped: 2, waiting: 1 },
      reasons: [
        { text: 'the workflow has no active step', count: 2, isWaiting: false },
        { text: 'the event is not in the activity yet', count: 1, isWaiting: true },
      ],
      causes: [
        { cause: 'no_steps', count: 2 },
        { cause: 'queued', count: 1 },
      ],
    });
  });

  it('has the failed steps of events without messages', () => {
    const deliveries = deliveriesOf(
      event('t1', ['http_request failed: Action step execution failed']),
    );
    expect(deliveries.summary(['t1'], 0)).toMatchObject({
      outcomes: { failed: 1 },
      causes: [{ cause: 'http_request_failed', count: 1 }],
    });
    expect([...deliveries.recipients()]).toMatchObject([{ causes: ['http_request_failed'] }]);
  });

  it('has the first time at which a step is due, and one reason for different times', () => {
    const [early, late] = ['2026-01-15T13:00:00.000Z', '2026-01-15T14:00:00.000Z'];
    const waiting = (name: string, until: string) =>
      event(name, [digesting(until), 'email pending']);
    for (const order of [
      [early, late],
      [late, early],
    ]) {
      const deliveries = deliveriesOf(
        ...order.map((until, index) => waiting(`t${index}`, until)),
        event('t2', ['email completed']),
      );
      const { nextDueAt, reasons } = deliveries.summary(['t0', 't1', 't2'], 0);
      expect(nextDueAt).toBe(early);
      expect(reasons).toEqual([
        { text: expect.stringContaining(late ?? ''), count: 2, isWaiting: true },
      ]);
    }
  });

  it('has no time for a throttle, because nothing follows its end', () => {
    const throttle =
      'throttle completed: Throttle limit exceeded | {"throttledUntil":"2026-01-16T12:00:00.000Z"}';
    const { nextDueAt, causes } = deliveriesOf(event('t1', [throttle, 'email skipped'])).summary(
      ['t1'],
      0,
    );
    expect({ nextDueAt, causes }).toEqual({
      ...{ nextDueAt: undefined, causes: [{ cause: 'throttled', count: 1 }] },
    });
  });

  it('has the time of a step that says it, among others that do not', () => {
    const until = '2026-01-15T13:00:00.000Z';
    const deliveries = deliveriesOf(
      event('t1', [digesting(until), 'email pending']),
      event('t2', ['digest delayed', 'email pending']),
    );
    for (const ids of [
      ['t1', 't2'],
      ['t2', 't1'],
    ]) {
      const { nextDueAt, reasons } = deliveries.summary(ids, 0);
      expect(nextDueAt).toBe(until);
      expect(reasons).toEqual([
        { text: expect.stringContaining(until), count: 2, isWaiting: true },
      ]);
    }
  });
});

describe('an event', () => {
  it('that is added again has its latest state', () => {
    const deliveries = deliveriesOf(
      event('t1/u1', ['email queued']),
      event('t1/u2', ['email queued']),
      event('t1/u1', ['email completed']),
    );
    expect(deliveries.recipientsOf('t1')).toBe(2);
    expect(deliveries.recipientsOf('t2')).toBe(0);
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ delivered: 1, waiting: 1 });
  });

  it('with the recipient of another differs by its id', () => {
    const deliveries = deliveriesOf(
      event('t1', ['email completed'], { _id: 'e1' }),
      event('t1', ['email failed'], { _id: 'e2' }),
    );
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ delivered: 1, failed: 1 });
  });

  it('with the id of another differs by its recipient', () => {
    const deliveries = deliveriesOf(
      event('t1/u1', ['email completed'], { _id: undefined }),
      event('t1/u2', ['email completed'], { _id: undefined }),
      event('t1/u2', ['email failed'], { _id: undefined }),
    );
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ delivered: 1, failed: 1 });
  });

  it('is open until all of its recipients are finished', () => {
    const deliveries = deliveriesOf(
      event('t1/u1', ['email completed']),
      event('t2/u1', ['email completed']),
      event('t2/u2', ['email queued']),
    );
    expect(['t1', 't2', 't3'].map(deliveries.isOpen)).toEqual([false, true, true]);
  });

  it('has its recipients with counts and causes', () => {
    const deliveries = deliveriesOf(event('t1/u1', ['in_app completed', missingEmail]));
    expect([...deliveries.recipients()]).toEqual([
      {
        ...{ transactionId: 't1', subscriberId: 'u1', outcome: 'delivered' },
        messages: { delivered: 1, failed: 0, skipped: 1, waiting: 0 },
        causes: ['missing_email'],
      },
    ]);
  });

  it('can be limited to some of its steps', () => {
    const deliveries = createDeliveries((item) => ({
      ...item,
      jobs: item.jobs?.slice(0, 1) ?? [],
    }));
    deliveries.add(event('t1', ['in_app completed', 'email failed']));
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ delivered: 1, failed: 0 });
  });
});

describe('a digest', () => {
  const merged = event('t1', ['digest merged', 'email merged'], {
    _digestedNotificationId: 'main',
  });
  const main = (status: string, transactionId = 't9') =>
    event(
      transactionId,
      [`digest ${status === 'queued' ? 'completed' : status}`, `email ${status}`],
      { _id: 'main' },
    );

  it('of another run carries the steps', () => {
    const deliveries = deliveriesOf(merged);
    expect([deliveries.unknownDigests(), deliveries.openDigests()]).toEqual([['main'], []]);
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ skipped: 1 });
    deliveries.addDigest(main('queued'));
    expect([deliveries.unknownDigests(), deliveries.openDigests()]).toEqual([[], ['t9']]);
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ waiting: 1 });
    deliveries.addDigest(main('completed'));
    expect([deliveries.unknownDigests(), deliveries.openDigests()]).toEqual([[], []]);
    expect(deliveries.summary(['t1'], 0).outcomes).toMatchObject({ delivered: 1 });
    expect(deliveries.verdictsOf(merged)).toMatchObject([
      { channel: 'email', verdict: 'delivered', digest: { transactionId: 't9' } },
    ]);
    expect(deliveries.recipientsOf('t9')).toBe(0);
  });

  it('of the same run is not read by itself', () => {
    const deliveries = deliveriesOf(merged, main('queued', 't2'), {
      ...merged,
      ...{ _id: 't3', transactionId: 't3' },
    });
    expect([deliveries.unknownDigests(), deliveries.openDigests()]).toEqual([[], []]);
    expect(deliveries.summary(['t1', 't2', 't3'], 0).outcomes).toMatchObject({ waiting: 3 });
  });

  it('is only an event with a digest step', () => {
    const deliveries = deliveriesOf(merged);
    deliveries.addDigest(event('t9', ['email completed'], { _id: 'main' }));
    expect(deliveries.unknownDigests()).toEqual(['main']);
    deliveries.addDigest(event('t9', undefined, { _id: 'main' }));
    expect(deliveries.unknownDigests()).toEqual(['main']);
  });

  it('can be merged into another one, which is unknown then', () => {
    const deliveries = deliveriesOf(merged);
    deliveries.addDigest({ ...main('merged'), _digestedNotificationId: 'first' });
    expect([deliveries.unknownDigests(), deliveries.openDigests()]).toEqual([['first'], []]);
  });
});
