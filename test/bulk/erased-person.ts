// One person of a service that answers each operation by itself, and the erasure of that person.
import { createErasureSender, type Erasure } from '../../src/bulk/operations/erasure.ts';
import { SvcError } from '../../src/core/errors.ts';

export type Response = (input: Record<string, Record<string, unknown>>) => unknown;

export const notFound = () =>
  new SvcError('notFound', 'Not found.', { status: 404, path: '/v2/subscribers/u1' });
export const page = (data: readonly object[]) => ({
  data,
  hasMore: false,
  next: null,
  previous: null,
});

/** A service with one person. `responses` replaces the response to an operation. */
export function openPerson(responses: Record<string, Response> = {}) {
  const state = {
    exists: true,
    messages: ['m1', 'm2'],
    topics: ['t1', 't2'],
    providers: ['fcm'],
    preferences: false,
    jobs: ['completed'],
  };
  const asked: string[] = [];
  const respond: Record<string, Response> = {
    getSubscriber: () => {
      if (!state.exists) throw notFound();
      const channels = state.providers.map((providerId) => ({
        ...{ providerId, credentials: { deviceTokens: ['x'] } },
      }));
      return { _id: 'i1', subscriberId: 'u1', channels };
    },
    listActivity: () =>
      page([
        {
          ...{ _id: 'e1', transactionId: 'txn', template: { name: 'Welcome' } },
          jobs: state.jobs.map((status) => ({ status })),
        },
      ]),
    listMessages: () => page(state.messages.map((_id) => ({ _id, _subscriberId: 'i1' }))),
    listSubscriberTopics: () =>
      page(state.topics.map((key) => ({ _id: key, topic: { _id: key, key } }))),
    listChannelConnections: () => page([]),
    listChannelEndpoints: () => page([]),
    listTopicSubscriptions: ({ path }) =>
      page(state.topics.includes(String(path?.topicKey)) ? [{ _id: 's' }] : []),
    deleteMessage: ({ path }) => {
      state.messages = state.messages.filter((id) => id !== path?.messageId);
      return { acknowledged: true };
    },
    unsubscribeFromTopic: ({ path }) => {
      state.topics = state.topics.filter((key) => key !== path?.topicKey);
      return { data: [] };
    },
    deleteSubscriberCredentials: ({ path }) => {
      state.providers = state.providers.filter((id) => id !== path?.providerId);
    },
    deleteSubscriber: () => {
      state.exists = false;
      return { acknowledged: true };
    },
    getSubscriberPreferences: () => {
      if (!state.preferences) throw notFound();
      return { global: {}, workflows: [] };
    },
    ...responses,
  };
  const call = async (operation: string, input: Record<string, Record<string, unknown>>) => {
    const path = Object.values(input.path ?? {}).filter((id) => id !== 'u1');
    asked.push([operation, ...path].join(' '));
    return respond[operation]?.(input);
  };
  const writes = () => asked.filter((line) => /^(delete|unsubscribe)/.test(line));
  return { state, call: call as never, asked, writes };
}

type Person = ReturnType<typeof openPerson>;

export async function erase(person: Person, { keepsPending = false, maybeApplied = false } = {}) {
  const erasures: (Erasure | undefined)[] = [];
  const sender = createErasureSender({
    readId: () => 'u1',
    keepsPending,
    onErasure: (_id, erasure) => void erasures.push(erasure),
  });
  const outcome = await sender.sendRow?.(
    { id: 'u1', json: '"u1"' },
    { call: person.call, maybeApplied },
  );
  return { outcome, erasures };
}
