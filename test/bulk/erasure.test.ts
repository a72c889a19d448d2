// The erasure of one person, request by request, against a service that keeps what it should delete.
import { describe, expect, it } from 'vitest';
import { DryRun } from '../../src/api/dry-run.ts';
import { createErasureSender, surveyPerson } from '../../src/bulk/operations/erasure.ts';
import { SvcError } from '../../src/core/errors.ts';
import { erase, notFound, openPerson, page, type Response } from './erased-person.ts';

describe('a person', () => {
  it('is deleted last, after everything was deleted and read again', async () => {
    const person = openPerson();
    const { outcome, erasures } = await erase(person);
    expect(outcome).toEqual({ state: 'erased' });
    expect(erasures).toEqual([
      {
        removed: ['messages', 'subscriptions', 'credentials', 'preferences', 'subscriber'],
        left: ['activity'],
        unknown: [],
      },
    ]);
    expect(person.writes()).toEqual([
      ...['deleteMessage m1', 'deleteMessage m2', 'unsubscribeFromTopic t1'],
      ...['unsubscribeFromTopic t2', 'deleteSubscriberCredentials fcm', 'deleteSubscriber'],
    ]);
    expect(person.asked.slice(person.asked.indexOf('deleteSubscriberCredentials fcm') + 1)).toEqual(
      [
        ...['listMessages', 'listSubscriberTopics', 'listTopicSubscriptions t1'],
        ...['listTopicSubscriptions t2', 'getSubscriber', 'listChannelConnections'],
        ...[
          'listChannelEndpoints',
          'deleteSubscriber',
          'getSubscriber',
          'getSubscriberPreferences',
        ],
      ],
    );
  });

  it('without any data has no parts', async () => {
    const person = openPerson({ listActivity: () => page([]) });
    Object.assign(person.state, { messages: [], topics: [], providers: [] });
    const { erasures } = await erase(person);
    expect(erasures).toEqual([{ removed: ['preferences', 'subscriber'], left: [], unknown: [] }]);
    expect(person.writes()).toEqual(['deleteSubscriber']);
  });

  it('who does not exist is absent, unless an earlier attempt may have been applied', async () => {
    const person = openPerson();
    person.state.exists = false;
    expect(await erase(person)).toEqual({ outcome: { state: 'absent' }, erasures: [undefined] });
    expect(await erase(person, { maybeApplied: true })).toEqual({
      ...{ erasures: [] },
      outcome: {
        state: 'unknown',
        reason: 'the service did not confirm that it deleted: preferences',
      },
    });
  });

  it('with pending events is kept, unless they may stay', async () => {
    const person = openPerson();
    person.state.jobs = ['completed', 'delayed'];
    expect((await erase(person)).outcome).toEqual({
      state: 'failed',
      reason: '1 transaction pending: txn',
    });
    expect(person.writes()).toEqual([]);
    expect((await erase(person, { keepsPending: true })).outcome).toEqual({ state: 'erased' });
  });

  it.each([
    [{ jobs: [], channels: ['email'] }, true],
    [{ jobs: null, channels: ['email'] }, true],
    [{ jobs: [], channels: [] }, false],
    [{ jobs: [], channels: null }, false],
    [{ jobs: [{ status: 'completed' }], channels: ['email'] }, false],
  ])('with an event of %j is pending: %s', async (event, isPending) => {
    const items = [{ _id: 'e', transactionId: 'txn', ...event }];
    const { outcome } = await erase(openPerson({ listActivity: () => page(items) }));
    expect(outcome?.state).toBe(isPending ? 'failed' : 'erased');
  });

  it('names five of its pending transactions', async () => {
    const items = Array.from({ length: 7 }, (_unused, index) => ({
      ...{ _id: `e${index}`, transactionId: `t${index % 6}`, jobs: [{ status: 'queued' }] },
    }));
    const { outcome } = await erase(openPerson({ listActivity: () => page(items) }));
    expect(outcome).toEqual({
      state: 'failed',
      reason: '6 transactions pending: t0, t1, t2, t3, t4 and 1 more',
    });
  });
});

describe('a list of people', () => {
  const ids = ['u1', '', 'u2'];
  const open = (onId: (id: string) => void) =>
    createErasureSender({
      readId: ({ line }) => ids[line],
      ...{ keepsPending: false, onErasure: () => undefined, onId },
    });

  it('passes on each valid id, and keeps the order of the rows', () => {
    const seen: string[] = [];
    const body = {} as never;
    const record = (line: number) => ({ line, row: line, start: 0, end: 0 });
    const sender = open((id) => void seen.push(id));
    const items = ids.map((_id, line) => sender.toItem(record(line), 0, body));
    expect(items).toEqual([
      ...[expect.objectContaining({ id: 'u1' }), { error: 'subscriberId: is required' }],
      expect.objectContaining({ id: 'u2' }),
    ]);
    expect(seen).toEqual(['u1', 'u2']);
    sender.onFinishedRow?.(record(2), 0);
    expect(seen).toEqual(['u1', 'u2', 'u2']);
    expect(sender).toMatchObject({ operation: 'deleteSubscriber', isOrdered: true });
  });
});

describe('what a service keeps', () => {
  it('a message without an id, which no request can delete', async () => {
    const message = { _subscriberId: 'i1' };
    const person = openPerson({ listMessages: () => page([message]) });
    const { outcome, erasures } = await erase(person);
    expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining('messages') });
    expect(erasures[0]?.left).toContain('messages');
    expect(person.writes().join()).not.toContain('deleteMessage');
  });

  it.each<[string, Record<string, Response>, string]>([
    ['messages', { deleteMessage: () => ({}) }, 'messages'],
    ['subscriptions', { unsubscribeFromTopic: () => ({}) }, 'subscriptions'],
    ['credentials', { deleteSubscriberCredentials: () => ({}) }, 'credentials'],
  ])(
    '%s: the subscriber stays, so that a retry finds the person',
    async (_name, responses, kind) => {
      const person = openPerson(responses);
      const { outcome, erasures } = await erase(person);
      expect(outcome).toEqual({
        state: 'failed',
        reason: `the service still has: ${kind}, preferences, subscriber`,
      });
      const all = ['messages', 'subscriptions', 'credentials'];
      expect(erasures).toEqual([
        {
          removed: all.filter((one) => one !== kind),
          left: [kind, 'preferences', 'subscriber', 'activity'],
          unknown: [],
        },
      ]);
      expect(person.writes()).not.toContain('deleteSubscriber');
    },
  );

  it('messages that arrive meanwhile are deleted, in three rounds at most', async () => {
    let more = 0;
    const open = (rounds: number) => {
      more = 0;
      return openPerson({
        listMessages: () => {
          more += 1;
          return page(more <= rounds ? [{ _id: `m${more}`, _subscriberId: 'i1' }] : []);
        },
      });
    };
    const some = open(3);
    expect((await erase(some)).outcome).toEqual({ state: 'erased' });
    expect(some.writes().slice(0, 3)).toEqual(
      ['m1', 'm2', 'm3'].map((id) => `deleteMessage ${id}`),
    );
    const many = open(9);
    expect((await erase(many)).outcome).toMatchObject({ state: 'failed' });
    expect(many.writes().filter((line) => line.startsWith('deleteMessage'))).toHaveLength(3);
  });

  it('one subscription of several topics, which the list of topics does not have', async () => {
    for (const kept of ['t1', 't2']) {
      const { outcome } = await erase(
        openPerson({
          listTopicSubscriptions: ({ path }) => page(path?.topicKey === kept ? [{ _id: 's' }] : []),
        }),
      );
      expect(outcome).toMatchObject({ state: 'failed', reason: expect.stringContaining('subscr') });
    }
  });

  it('a channel without credentials is not left', async () => {
    for (const credentials of [undefined, {}, { deviceTokens: [] }, { webhookUrl: '' }]) {
      const person = openPerson({
        getSubscriber: () => {
          if (!person.state.exists) throw notFound();
          return { _id: 'i1', channels: [{ providerId: 'fcm', credentials }] };
        },
      });
      expect((await erase(person)).outcome).toEqual({ state: 'erased' });
    }
    const left = openPerson({
      getSubscriber: () => ({
        ...{ _id: 'i1' },
        channels: [{ providerId: 'slack', credentials: { deviceTokens: [], webhookUrl: 'x' } }],
      }),
    });
    expect((await erase(left)).outcome).toMatchObject({ state: 'failed' });
  });

  it('the subscriber, or readable preferences', async () => {
    const kept = await erase(openPerson({ deleteSubscriber: () => ({ acknowledged: true }) }));
    expect(kept.erasures).toEqual([
      {
        removed: ['messages', 'subscriptions', 'credentials'],
        left: ['preferences', 'subscriber', 'activity'],
        unknown: [],
      },
    ]);
    const person = openPerson();
    person.state.preferences = true;
    const readable = await erase(person);
    expect(readable.outcome).toEqual({
      ...{ state: 'failed', reason: 'the service still has: preferences' },
    });
    expect(readable.erasures[0]).toMatchObject({
      removed: ['messages', 'subscriptions', 'credentials', 'subscriber'],
      left: ['preferences', 'activity'],
    });
  });
});

it('a topic that was deleted meanwhile has no subscription', async () => {
  const person = openPerson({
    listTopicSubscriptions: () => {
      throw notFound();
    },
  });
  expect((await erase(person)).outcome).toEqual({ state: 'erased' });
});

describe('the response to the deletion', () => {
  const unconfirmed = {
    state: 'unknown',
    reason: 'the service did not confirm that it deleted: preferences',
  };

  it('that does not confirm it leaves the preferences unknown', async () => {
    const person = openPerson({
      deleteSubscriber: () => {
        person.state.exists = false;
        return { acknowledged: false };
      },
    });
    const { outcome, erasures } = await erase(person);
    expect(outcome).toEqual(unconfirmed);
    expect(erasures[0]).toMatchObject({
      removed: ['messages', 'subscriptions', 'credentials', 'subscriber'],
      ...{ left: ['activity'], unknown: ['preferences'] },
    });
  });

  it('that the subscriber is gone, which another program has deleted, leaves the preferences unknown', async () => {
    let reads = 0;
    const person = openPerson({
      getSubscriber: () => {
        reads += 1;
        if (reads > 1) throw notFound();
        return { _id: 'i1', channels: [] };
      },
      deleteSubscriber: () => {
        throw notFound();
      },
    });
    expect((await erase(person)).outcome).toEqual(unconfirmed);
  });

  it('that is lost is decided by reading the subscriber again', async () => {
    const lost = new SvcError('unavailable', 'Lost.', { maybeApplied: true });
    const applied = openPerson({
      deleteSubscriber: () => {
        applied.state.exists = false;
        throw lost;
      },
    });
    expect((await erase(applied)).outcome).toEqual(unconfirmed);
    const kept = openPerson({
      deleteSubscriber: () => {
        throw lost;
      },
    });
    await expect(erase(kept)).rejects.toBe(lost);
  });

  it('that is another error ends the erasure', async () => {
    for (const error of [new SvcError('unavailable', 'Down.'), new Error('Bug.')]) {
      const person = openPerson({
        deleteSubscriber: () => {
          throw error;
        },
      });
      await expect(erase(person)).rejects.toBe(error);
      expect(person.asked.at(-1)).toBe('deleteSubscriber');
    }
  });

  it.each([
    [400, { state: 'erased' }],
    [403, undefined],
  ])('of a topic with %d', async (status, expected) => {
    const person = openPerson({
      unsubscribeFromTopic: ({ path }) => {
        person.state.topics = person.state.topics.filter((key) => key !== path?.topicKey);
        throw new SvcError('refused', 'Not subscribed.', { status });
      },
    });
    if (expected) expect((await erase(person)).outcome).toEqual(expected);
    else await expect(erase(person)).rejects.toThrow('Not subscribed.');
  });
});

const dryRun = (operation: string): Response =>
  function throwRequest({ path }) {
    const url = [operation, ...Object.values(path ?? {})].join(' ');
    throw new DryRun([{ method: 'DELETE', url, headers: {} }]);
  };

it('a dry run ends with the error of a request', async () => {
  const error = new Error('Bug.');
  const person = openPerson({
    deleteMessage: dryRun('deleteMessage'),
    unsubscribeFromTopic: () => {
      throw error;
    },
  });
  await expect(erase(person)).rejects.toBe(error);
});

it('a dry run has each deletion of the first round', async () => {
  const operations = [
    ...['deleteMessage', 'unsubscribeFromTopic', 'deleteSubscriberCredentials', 'deleteSubscriber'],
  ];
  const person = openPerson(Object.fromEntries(operations.map((name) => [name, dryRun(name)])));
  const error = await erase(person).catch((thrown: unknown) => thrown);
  expect((error as DryRun).requests.map(({ url }) => url)).toEqual([
    ...['deleteMessage m1', 'deleteMessage m2', 'unsubscribeFromTopic t1'],
    ...['unsubscribeFromTopic t2', 'deleteSubscriberCredentials u1 fcm', 'deleteSubscriber u1'],
  ]);
  expect(person.asked.filter((line) => line === 'listMessages')).toHaveLength(1);
});

describe('the survey', () => {
  it('has what there is, each topic and provider once', async () => {
    const { call, state } = openPerson();
    Object.assign(state, { topics: ['t1', 't1'], providers: ['fcm', 'fcm'], jobs: ['queued'] });
    expect(await surveyPerson(call, 'u1', {})).toEqual({
      ...{ internalId: 'i1', messages: ['m1', 'm2'], topics: ['t1'], providers: ['fcm'] },
      channels: { connections: [], endpoints: [] },
      hasActivity: true,
      pending: [{ transactionId: 'txn', workflow: 'Welcome' }],
    });
  });

  it('of a person without channels and events, whose lists the service lacks', async () => {
    const { call } = openPerson({
      getSubscriber: () => ({ _id: 'i1' }),
      listActivity: () =>
        page([
          { _id: 'e1', transactionId: 'txn' },
          { _id: 'e2', jobs: [{ status: 'queued' }], transactionId: 't2' },
        ]),
      listMessages: () => {
        throw notFound();
      },
      listSubscriberTopics: () => {
        throw notFound();
      },
    });
    expect(await surveyPerson(call, 'u1', {})).toMatchObject({
      ...{ messages: [], topics: [], providers: [], hasActivity: true },
      pending: [{ transactionId: 't2', workflow: '' }],
    });
  });

  it('refuses the items of another person', async () => {
    const { call } = openPerson({
      listMessages: () => page([{ _id: 'm9', _subscriberId: 'other' }]),
    });
    await expect(surveyPerson(call, 'u1', {})).rejects.toThrow('The service listed the message m9');
  });
});
