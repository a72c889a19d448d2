// The outcome of an event for its recipient, from the progress of its jobs and the verdicts on its messages.
import { describe, expect, it } from 'vitest';
import {
  eventOutcome,
  isUnreached,
  jobProgress,
  recipientOutcome,
} from '../../src/deliveries/outcome.ts';

type Item = Parameters<typeof eventOutcome>[0];
type Verdicts = Parameters<typeof eventOutcome>[1];

const item = (jobs: [type: string, status: string][] | undefined, channels?: string[]) =>
  ({ jobs: jobs?.map(([type, status]) => ({ type, status })), channels }) as Item;
const verdicts = (...names: string[]) =>
  names.map((verdict) => ({ verdict, cause: null })) as unknown as Verdicts;

it.each([
  ['empty', item(undefined, [])],
  ['empty', item([], [])],
  ['none', item([], ['email'])],
  ['none', item(undefined)],
  [
    'failed',
    item([
      ['delay', 'pending'],
      ['email', 'failed'],
    ]),
  ],
  [
    'open',
    item([
      ['digest', 'delayed'],
      ['email', 'pending'],
    ]),
  ],
  [
    'finished',
    item([
      ['trigger', 'completed'],
      ['email', 'pending'],
    ]),
  ],
  ['finished', item([['email', 'completed']])],
])('the jobs of an event are %s', (progress, event) => {
  expect(jobProgress(event)).toBe(progress);
});

describe('a recipient', () => {
  it.each([
    ['empty', ['delivered'], 'skipped'],
    ['none', ['delivered'], 'waiting'],
    ['failed', ['waiting'], 'waiting'],
    ['failed', ['delivered'], 'failed'],
    ['failed', [], 'failed'],
    ['finished', ['failed', 'waiting'], 'waiting'],
    ['finished', ['delivered', 'failed'], 'failed'],
    ['open', ['delivered'], 'waiting'],
    ['finished', ['skipped', 'delivered'], 'delivered'],
    ['finished', ['skipped'], 'skipped'],
    ['finished', [], 'skipped'],
  ] as const)('of jobs that are %s, with %j, is %s', (progress, names, outcome) => {
    expect(recipientOutcome(progress, verdicts(...names))).toBe(outcome);
  });

  it.each([
    ['failed', [], true],
    ['failed', ['missing_channel'], true],
    ['skipped', ['missing_channel'], true],
    ['delivered', ['provider_error', 'missing_channel'], true],
    ['waiting', ['missing_channel'], false],
    ['skipped', ['missing_email'], false],
    ['delivered', [], false],
  ] as const)('that is %s, because of %j, is not reached: %s', (outcome, causes, isSo) => {
    expect(isUnreached(outcome, causes)).toBe(isSo);
  });
});

it.each([
  ['unfinished', item([], ['email']), []],
  ['unfinished', item([['delay', 'delayed']]), ['delivered']],
  ['undelivered', item([], []), []],
  ['undelivered', item([['email', 'failed']]), []],
  ['undelivered', item([['email', 'canceled']]), ['skipped']],
  ['delivered', item([['email', 'completed']]), ['delivered']],
  ['delivered', item([['trigger', 'completed']]), []],
] as const)('an event is %s', (outcome, event, names) => {
  expect(eventOutcome(event, verdicts(...names))).toBe(outcome);
});
