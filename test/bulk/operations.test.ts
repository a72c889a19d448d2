// Reading the outcome of each item from responses, for every bulk command.
import { describe, expect, it } from 'vitest';
import { type Outcome, pathValues, type Sender } from '../../src/bulk/engine/sender.ts';
import { openEventSender } from '../../src/bulk/operations/events.ts';
import { createCancellationSender, createMarkSender } from '../../src/bulk/operations/id-list.ts';
import { compileRowEncoder } from '../../src/bulk/operations/row-encoder.ts';
import { createSubscriptionSender } from '../../src/bulk/operations/subscriptions.ts';
import { SvcError } from '../../src/core/errors.ts';
import { encode } from './encode-row.ts';
import { importSender } from './run-import.ts';

const noId = () => undefined;
const item = (id: string) => ({ id, json: '' });
const outcomes = (sender: Sender, value: unknown, ids: string[], uncertain = false): string[] =>
  sender
    .readOutcomes(
      { value, status: 200, headers: {}, attempts: 1, maybeApplied: uncertain },
      ids.map(item),
    )
    .map((outcome: Outcome) =>
      'reason' in outcome ? `${outcome.state}: ${outcome.reason}` : outcome.state,
    );

describe('a response to events', () => {
  it.each<[string, unknown, string[]]>([
    ['processed', [{ status: 'processed' }], ['triggered']],
    ['an error', [{ status: 'error', error: ['a', 'b'] }], ['failed: error: a; b']],
    ['another status', [{ status: 'trigger_not_active' }], ['failed: trigger_not_active']],
    [
      'a result of another transaction',
      [{ status: 'processed', transactionId: 'o' }],
      ['unknown: the response is about transaction o, not about t'],
    ],
    ['a result without status', [{}], ['unknown']],
    ['fewer results', [], ['unknown']],
    ['no list', { data: [] }, ['unknown']],
  ])('with %s', async (_name, value, expected) => {
    const source = { format: 'ndjson', name: 'x' } as Parameters<typeof openEventSender>[0];
    expect(outcomes(await openEventSender(source, String), value, ['t'])).toEqual(expected);
  });
});

describe('a response to marks', () => {
  it.each<[string, unknown, string[]]>([
    [
      'lists the marked notifications',
      [{ _id: 'm1' }],
      ['marked', 'failed: is not a notification of u1'],
    ],
    ['is not a list', {}, ['unknown', 'unknown']],
  ])('%s', (_name, value, expected) => {
    expect(outcomes(createMarkSender('u1', 'read', noId), value, ['m1', 'm2'])).toEqual(expected);
  });
});

describe('a response to subscriptions', () => {
  const sender = createSubscriptionSender(() => ({ topicKey: 'news' }), noId);

  it('lists subscribed and failed ids; all others are unknown', () => {
    const value = {
      data: [{ subscriber: { subscriberId: 'a' } }, {}],
      errors: [{ subscriberId: 'b', message: 'no' }, { subscriberId: 'c' }],
    };
    expect(outcomes(sender, value, ['a', 'b', 'c', 'd'])).toEqual([
      'subscribed',
      'failed: no',
      'failed: not subscribed',
      'unknown',
    ]);
  });

  it.each([[undefined], [null], [[]], ['text'], [{ data: 1 }]])(
    'makes all ids unknown if it is %j',
    (value) => {
      expect(outcomes(sender, value, ['a'])).toEqual(['unknown']);
    },
  );

  it.each([
    ['a 400 that lists every id', 400, ['a', 'b'], ['failed', 'failed']],
    ['a 400 that lists one of two ids', 400, ['a'], undefined],
    ['a 400 that lists none', 400, [], undefined],
    ['a 422', 422, ['a', 'b'], undefined],
  ])('with an error, %s (%s), with the ids %j leads to %j', (_name, status, named, states) => {
    const details = named.map((field) => ({ field, message: 'could not be found' }));
    const error = new SvcError('refused', 'no', { status, fieldErrors: details });
    const refused = sender.readRejection?.(error, [item('a'), item('b')], false);
    expect(refused?.map(({ state }) => state)).toEqual(states);
  });
});

describe('a response to a cancellation', () => {
  it.each<[unknown, boolean, string]>([
    [true, false, 'cancelled'],
    [true, true, 'cancelled'],
    [false, false, 'notPending'],
    [false, true, 'unknown'],
  ])('%s, with a possibly applied earlier attempt: %s, means %s', (value, uncertain, expected) => {
    expect(outcomes(createCancellationSender(noId), value, ['t'], uncertain)).toEqual([expected]);
  });

  it('has the transaction id in its path', () => {
    expect(pathValues(createCancellationSender(noId), [item('a/b')])).toEqual({
      transactionId: 'a/b',
    });
  });
});

describe('a response to an import', () => {
  it.each<[string, object, string[]]>([
    [
      'all created',
      { created: [{ subscriberId: 'a' }, { subscriberId: 'a' }] },
      ['created', 'created'],
    ],
    [
      'all updated',
      { updated: [{ subscriberId: 'a' }, { subscriberId: 'a' }] },
      ['updated', 'updated'],
    ],
    ['one of two', { created: [{ subscriberId: 'a' }] }, ['created', 'unknown']],
    [
      'both refused',
      { failed: [{ subscriberId: 'a', message: 'x' }, { subscriberId: 'a' }] },
      ['failed: x', 'failed: the service gave no reason'],
    ],
    ['entries without ids', { created: [{}], updated: [{}], failed: [{}] }, ['unknown', 'unknown']],
  ])('matches ids by occurrence: %s', (_name, value, expected) => {
    expect(outcomes(importSender, value, ['a', 'a'])).toEqual(expected);
  });
});

describe('the fast path from cells to JSON', () => {
  const choices = { infer: false, clearEmpty: false };

  it('is not used for an input without an id column', () => {
    expect(
      encode(compileRowEncoder([{ index: 0, field: 'subscriberId', place: 'data' }], choices), [
        'u1',
      ]),
    ).toBe(undefined);
  });

  it('validates locales, also after many others', () => {
    const short = compileRowEncoder(
      [
        { index: 0, field: 'subscriberId', place: 'field' },
        { index: 1, field: 'locale', place: 'field' },
      ],
      choices,
    );
    for (let one = 0; one < 1_500; one += 1)
      expect(encode(short, ['u1', `wrong ${one}`])).toBeUndefined();
    for (let again = 0; again < 2; again += 1) {
      expect(encode(short, ['u1', 'wrong again'])).toBeUndefined();
      expect(encode(short, ['u1', 'en-GB'])?.json).toBe('{"subscriberId":"u1","locale":"en-GB"}');
    }
  });
});
