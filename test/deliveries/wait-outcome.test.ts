// The outcome for a command that waits for an event, with its reasons.
import { describe, expect, it } from 'vitest';
import {
  followDigest,
  judgeDelivery,
  type RecipientOutcome,
} from '../../src/deliveries/outcome.ts';
import type { StepVerdict } from '../../src/deliveries/verdict.ts';
import type { ActivityItem } from '../../src/service/schemas/activity.ts';

/** `email failed`, or `email failed: reason` with a failure; `canceled!` has a warning. */
function job(text: string) {
  const [state = '', reason] = text.split(': ');
  const [type, status = ''] = state.split(' ');
  const failure = { status: status.endsWith('!') ? 'Warning' : 'Failed', detail: reason };
  return {
    ...{ type, status: status.replace('!', '') },
    executionDetails: reason === undefined ? [] : [failure],
  };
}

const event = (jobs: string[] | undefined, channels?: string[]) =>
  ({
    ...{ subscriber: { subscriberId: 'u1' }, channels, jobs: jobs?.map(job) },
  }) as unknown as ActivityItem;

describe('an event', () => {
  const judge = (
    item: ActivityItem,
    required: string[] = [],
    goal: 'settled' | 'delivered' = 'settled',
  ) => {
    const { subscriberId, outcome, reasons } = judgeDelivery(item, { goal, required });
    expect(subscriberId).toBe('u1');
    return [outcome, ...reasons];
  };

  it('without jobs has no steps, or is not finished', () => {
    expect(judge(event([], []))).toEqual(['undelivered', 'the workflow has no active step']);
    expect(judge(event([], ['email']))).toEqual(['unfinished']);
    expect(judge(event(undefined))).toEqual(['unfinished']);
    expect(judge(event(['email completed'], []))).toEqual(['delivered']);
  });

  it('that is not finished names the jobs that are not', () => {
    const jobs = ['trigger completed', 'digest delayed', 'email pending'];
    expect(judge(event(jobs))).toEqual(['unfinished', 'digest is delayed', 'email is pending']);
    const partly = event(['in_app completed', 'email queued']);
    expect(judge(partly)).toEqual(['unfinished', 'email is queued']);
    expect(judge(partly, [], 'delivered')).toEqual(['delivered']);
    expect(judge(partly, ['in_app'], 'delivered')).toEqual(['delivered']);
    expect(judge(partly, ['email'], 'delivered')).toEqual(['unfinished', 'email is queued']);
    expect(judge(event(['email queued']), [], 'delivered')).toEqual([
      ...['unfinished', 'email is queued'],
    ]);
  });

  it('that is delivered names the messages that were not sent', () => {
    const jobs = ['in_app completed', 'chat canceled: off', 'sms canceled!: no number'];
    for (const goal of ['settled', 'delivered'] as const) {
      expect(judge(event(jobs), [], goal)).toEqual(['delivered', 'chat: off', 'sms: no number']);
      expect(judge(event(['in_app completed', 'chat canceled']), [], goal)).toEqual(['delivered']);
      const skipped = event(['in_app completed', 'chat skipped: off']);
      expect(judge(skipped, [], goal)).toEqual(['delivered']);
    }
  });

  it('that failed has the reasons of the finished jobs', () => {
    const jobs = ['in_app completed', 'email failed: full', 'sms canceled', 'chat pending'];
    expect(judge(event(jobs.slice(0, 3)))).toEqual([
      ...['undelivered', 'email: full', 'sms: canceled'],
    ]);
    expect(judge(event(jobs.slice(0, 2)), ['in_app'])).toEqual(['undelivered', 'email: full']);
    const stopped = event(['in_app completed', 'delay failed: odd', 'email pending']);
    expect(judge(stopped)).toEqual(['undelivered', 'delay: odd']);
  });

  it('with a message for which the subscriber has no channel is undelivered', () => {
    const text = 'Subscriber does not have a configured channel';
    expect(judge(event(['in_app completed', `push skipped: ${text}`]))).toEqual([
      ...['undelivered', `push: ${text}`],
    ]);
  });

  it('without a required channel says why', () => {
    const item = event(['in_app completed', 'email skipped: off', 'email canceled']);
    expect(judge(item, ['email'])).toEqual(['undelivered', 'email: off', 'email: canceled']);
    expect(judge(item, ['in_app', 'push'])).toEqual([
      ...['undelivered', 'push: the workflow has no such step'],
    ]);
    expect(judge(item, ['in_app'])).toEqual(['delivered']);
  });

  it('of which a step was merged into a digest is merged', () => {
    expect(judge(event(['digest merged', 'email merged']))).toEqual(['merged']);
    expect(judge(event(['digest completed', 'email merged']))).toEqual(['merged']);
    expect(judge(event(['digest merged', 'email merged']), ['email'])).toEqual([
      ...['undelivered', 'email: merged'],
    ]);
    expect(judge(event(['email skipped: off', 'sms canceled']))).toEqual([
      ...['undelivered', 'email: off', 'sms: canceled'],
    ]);
  });
});

describe('a merged event', () => {
  const recipient = (outcome: RecipientOutcome['outcome']): RecipientOutcome => ({
    ...{ subscriberId: 'u1', outcome, reasons: ['own'] },
  });
  const follow = (
    carried: Partial<StepVerdict>[],
    outcome: RecipientOutcome['outcome'] = 'merged',
  ) => {
    const { reasons, isCarried } = followDigest(recipient(outcome), carried as StepVerdict[]);
    return [isCarried, ...reasons];
  };

  it('is carried by a digest that was delivered', () => {
    expect(follow([{ verdict: 'delivered' }])).toEqual([true, 'own']);
    expect(follow([{ verdict: 'failed' }])).toEqual([false, 'own']);
    expect(follow([])).toEqual([false, 'own']);
    expect(follow([{ verdict: 'delivered' }], 'undelivered')).toEqual([false, 'own']);
  });

  it('waits as long as the digest', () => {
    const waiting = (until?: string) => ({ verdict: 'waiting' as const, until });
    expect(follow([waiting()])).toEqual([false, 'waits in a digest']);
    const throttled = { verdict: 'skipped' as const, until: '2026-01-14' };
    expect(follow([throttled, waiting(), waiting('2026-01-15'), waiting('2026-01-16')])).toEqual([
      ...[false, 'waits in a digest until 2026-01-15'],
    ]);
    expect(follow([waiting('2026-01-15')], 'delivered')).toEqual([false, 'own']);
  });
});
