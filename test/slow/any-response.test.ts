// Arbitrary JSON as the response to a batch: every row gets an outcome, and a row succeeds only if the response says so.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome, Sender } from '../../src/bulk/engine/sender.ts';
import { openEventSender } from '../../src/bulk/operations/events.ts';
import { createCancellationSender, createMarkSender } from '../../src/bulk/operations/id-list.ts';
import { createSubscriptionSender } from '../../src/bulk/operations/subscriptions.ts';
import { importSender } from '../bulk/run-import.ts';

const noId = () => undefined;
const ids = ['a', 'b', 'a'];
const source = { format: 'ndjson', name: 'x' } as Parameters<typeof openEventSender>[0];
const eventPlan = await openEventSender(source, String);

const settled = (sender: Sender, value: unknown, given: readonly string[]): Outcome[] =>
  sender.readOutcomes(
    { value, status: 200, headers: {}, attempts: 1, maybeApplied: false },
    given.map((id) => ({ id, json: '' })),
  );

const any = fc.jsonValue({ maxDepth: 3 });
const id = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: any },
);
const member = (shape: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof({ weight: 4, arbitrary: fc.record(shape, { requiredKeys: [] }) }, any);
const list = (entry: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 6, arbitrary: fc.array(entry, { maxLength: 4 }) }, any);
const named = list(member({ subscriberId: id, message: any }));

const success: Record<string, true> = {
  created: true,
  updated: true,
  subscribed: true,
  triggered: true,
  cancelled: true,
  notPending: true,
  marked: true,
};

/** How often a list of the response contains an id, in a member of its entries. */
function times(answer: unknown, name: string, wanted: string, path = ['subscriberId']): number {
  const entries = (answer as Record<string, unknown> | null)?.[name];
  if (!Array.isArray(entries)) return 0;
  return entries.filter(
    (entry) =>
      path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], entry) ===
      wanted,
  ).length;
}

const cases: [
  string,
  Sender,
  readonly string[],
  fc.Arbitrary<unknown>,
  (answer: unknown, id: string, index: number, state: string) => boolean,
][] = [
  [
    'an import',
    importSender,
    ids,
    member({ created: named, updated: named, failed: named }),
    (answer, id, _index, state) => times(answer, state, id) > 0,
  ],
  [
    'a subscription',
    createSubscriptionSender(() => ({ topicKey: 'news' }), noId),
    ids,
    member({ data: list(member({ subscriber: member({ subscriberId: id }) })), errors: named }),
    (answer, id) =>
      times(answer, 'data', id, ['subscriber', 'subscriberId']) > 0 &&
      times(answer, 'errors', id) === 0,
  ],
  [
    'events',
    eventPlan,
    ids,
    list(
      member({
        status: fc.oneof(fc.constantFrom('processed', 'error'), any),
        transactionId: id,
        error: fc.oneof(fc.array(any, { maxLength: 2 }), any),
      }),
    ),
    (answer, id, index) => {
      const results = answer as Record<string, unknown>[];
      const { status, transactionId } = results[index] ?? {};
      const isOwn = transactionId === id;
      const isOther = ids.some((sent) => sent === transactionId);
      return status === 'processed' && (isOwn || (results.length === ids.length && !isOther));
    },
  ],
  [
    'marks',
    createMarkSender('u1', 'read', noId),
    ids,
    list(member({ _id: id })),
    (answer, id) => times({ list: answer }, 'list', id, ['_id']) > 0,
  ],
  [
    'a cancellation',
    createCancellationSender(noId),
    ['a'],
    fc.oneof(fc.boolean(), any),
    (answer, _one, _index, state) => answer === (state === 'cancelled'),
  ],
];

describe.each(cases)('any JSON as the response to %s', (_name, sender, given, answers, states) => {
  it('every row gets an outcome, and a row succeeds only if the response says so', () => {
    let successes = 0;
    fc.assert(
      fc.property(answers, (answer) => {
        const outcomes = settled(sender, answer, given);
        expect(outcomes).toHaveLength(given.length);
        for (const [index, outcome] of outcomes.entries()) {
          const { state } = outcome;
          if ('reason' in outcome) {
            // A result of another transaction says nothing about the row.
            expect(['failed', 'unknown']).toContain(state);
            expect(outcome.reason).toEqual(expect.stringMatching(/\S/));
            expect(outcome.reason).not.toContain('[object Object]');
          } else if (success[state]) {
            successes += 1;
            expect(states(answer, given[index] ?? '', index, state)).toBe(true);
          } else expect(state).toBe('unknown');
        }
      }),
      { seed: 20_260_115, numRuns: 3_000 },
    );
    expect(successes).toBeGreaterThan(100);
  });
});

describe('an id that two lists of an import response contain', () => {
  const entry = (message?: string) => ({ subscriberId: 'a', message });
  it.each<[string, string[], object, string[]]>([
    [
      'created and failed, of one row',
      ['a'],
      { created: [entry()], failed: [entry('no')] },
      ['failed: the response lists it as created and failed: no'],
    ],
    [
      'created and updated, of one row',
      ['a'],
      { created: [entry()], updated: [entry()] },
      ['failed: the response lists it as created and updated'],
    ],
    [
      'created and updated, of two rows',
      ['a', 'a'],
      { created: [entry()], updated: [entry()] },
      ['created', 'updated'],
    ],
    [
      'all created beside one failed',
      ['a', 'b'],
      { created: [entry(), { subscriberId: 'b' }], failed: [entry('no')] },
      ['failed: the response lists it as created and failed: no', 'created'],
    ],
    [
      'messages of other types',
      ['a', 'a', 'a'],
      {
        failed: [
          { subscriberId: 'a', message: 7 },
          { subscriberId: 'a', message: ['x', null, 'y'] },
          { subscriberId: 'a', message: { toString: null } },
        ],
      },
      ['failed: the service gave no reason', 'failed: x; y', 'failed: the service gave no reason'],
    ],
  ])('%s', (_name, given, value, expected) => {
    const outcomes = settled(importSender, value, given);
    expect(
      outcomes.map((outcome) =>
        'reason' in outcome ? `${outcome.state}: ${outcome.reason}` : outcome.state,
      ),
    ).toEqual(expected);
  });
});
