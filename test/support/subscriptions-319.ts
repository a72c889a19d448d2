// The subscriptions of topics on a server 3.19.0, for a rig: several for a subscriber, with different identifiers. The topics
// and subscribers are those of the sandbox.
import type { Answerer, FakeAnswer } from './rig.ts';
import { answered, refused } from './server-319.ts';

interface Choice {
  workflowId: string;
  enabled?: boolean;
  condition?: object;
}

export interface Subscription319 {
  topicKey: string;
  subscriberId: string;
  identifier: string;
  name?: string;
  contextKeys: string[];
  preferences: Choice[];
}

interface Given {
  identifier?: string;
  subscriberId?: string;
  name?: string;
}

interface Body {
  subscriberIds?: string[];
  subscriptions?: Given[];
  preferences?: Choice[];
  context?: Record<string, string>;
}

const unknownIds = ['ghost'];
const knownWorkflows = ['welcome', 'digest'];

/** Answers the requests for subscriptions, and leaves all others to the sandbox. */
export function createSubscriptions319(): { all: Subscription319[]; answer: Answerer } {
  const all: Subscription319[] = [];
  const listed = (subscriptions: readonly Subscription319[]): FakeAnswer => {
    const data = subscriptions.map((one) => item(one));
    return {
      status: 200,
      body: { data, next: null, previous: null, totalCount: data.length, totalCountCapped: false },
    };
  };
  const subscribe = (topicKey: string, body: Body): FakeAnswer => {
    const { preferences = [], context = {} } = body;
    if (preferences.some((choice) => typeof choice === 'string'))
      return refused(422, 'Unprocessable Entity', 'Validation Error');
    const contextKeys = Object.entries(context).map(([type, id]) => `${type}:${id}`);
    const errors: object[] = [];
    const data = givenIn(body).flatMap(({ subscriberId = '', ...given }): object[] => {
      const suffix = contextKeys.length > 0 ? `:ctx_${contextKeys.join(',')}` : '';
      const { identifier = `tk_${topicKey}:si_${subscriberId}${suffix}` } = given;
      const existing = all.find((one) => one.identifier === identifier);
      if (unknownIds.includes(subscriberId)) {
        const message = `Subscriber with ID '${subscriberId}' could not be found.`;
        errors.push({ subscriberId, code: 'SUBSCRIBER_NOT_FOUND', message });
        return [];
      }
      if (existing && existing.subscriberId !== subscriberId) {
        const message = 'E11000 duplicate key error';
        errors.push({ subscriberId, code: 'SUBSCRIPTION_CREATE_FAILED', message });
        return [{ ...item(existing, true), subscriber: null }];
      }
      const stored = preferences.filter(({ workflowId }) => knownWorkflows.includes(workflowId));
      const added = { topicKey, subscriberId, ...given, identifier, contextKeys };
      if (!existing) all.push({ ...added, preferences: stored });
      return [item(existing ?? { ...added, preferences: stored }, true)];
    });
    const meta = { totalCount: data.length, successful: data.length, failed: errors.length };
    return {
      status: data.length > 0 ? 201 : 400,
      body: { data, meta, ...(errors.length > 0 ? { errors } : {}) },
    };
  };
  const unsubscribe = (topicKey: string, body: Body): FakeAnswer => {
    const given = givenIn(body);
    const removed = all.filter((one) =>
      given.some(
        ({ identifier, subscriberId }) =>
          one.topicKey === topicKey &&
          one.identifier === (identifier ?? one.identifier) &&
          one.subscriberId === (subscriberId ?? one.subscriberId),
      ),
    );
    for (const one of removed) all.splice(all.indexOf(one), 1);
    const data = removed.map((one) => item(one, true));
    return {
      status: 200,
      body: { data, meta: { totalCount: data.length, successful: data.length, failed: 0 } },
    };
  };
  const answer: Answerer = ({ method, url, body }) => {
    const [, topicKey = '', identifier] =
      /^\/v2\/topics\/([^/]+)\/subscriptions(?:\/(.+))?$/.exec(decodeURI(url.pathname)) ?? [];
    const [, person] = /^\/v2\/subscribers\/([^/]+)\/subscriptions$/.exec(url.pathname) ?? [];
    if (person !== undefined) return listed(all.filter((one) => one.subscriberId === person));
    if (topicKey === '') return undefined;
    const own = all.filter((one) => one.topicKey === topicKey);
    if (identifier !== undefined) {
      const one = own.find((subscription) => subscription.identifier === identifier);
      if (method === 'GET') return one ? answered(200, details(one)) : { status: 204 };
      return one ? answered(200, item(change(one, body as Body), true)) : missing;
    }
    if (method === 'POST') return subscribe(topicKey, body as Body);
    if (method === 'DELETE') return unsubscribe(topicKey, body as Body);
    const subscriberId = url.searchParams.get('subscriberId');
    return listed(own.filter((one) => one.subscriberId === (subscriberId ?? one.subscriberId)));
  };
  return { all, answer };
}

const missing = refused(404, 'Not Found', 'Subscription not found');

const change = (one: Subscription319, { name, preferences }: Body & { name?: string }) =>
  Object.assign(one, {
    ...(name === undefined ? {} : { name }),
    ...(preferences
      ? { preferences: preferences.filter(({ workflowId }) => knownWorkflows.includes(workflowId)) }
      : {}),
  });

const givenIn = ({ subscriptions, subscriberIds = [] }: Body): readonly Given[] =>
  subscriptions ?? subscriberIds.map((subscriberId) => ({ subscriberId }));

const time = '2026-05-01T09:00:00.000Z';

const choicesOf = ({ preferences, identifier }: Subscription319) =>
  preferences.length === 0
    ? {}
    : {
        preferences: preferences.map(({ workflowId, enabled = true, condition }) => ({
          workflow: { id: workflowId.padEnd(24, '0'), identifier: workflowId, name: workflowId },
          subscriptionId: identifier,
          enabled,
          ...(condition ? { condition } : {}),
        })),
      };

/** Listings have neither name nor choices. */
const item = (one: Subscription319, isWhole = false) => ({
  _id: Buffer.from(one.identifier).toString('hex').padEnd(24, '0').slice(-24),
  identifier: one.identifier,
  topic: { _id: '6a71f0a8bdcbd10c5f2b0001', key: one.topicKey },
  subscriber: { _id: '6a71f0a8bdcbd10c5f2b0002', subscriberId: one.subscriberId },
  contextKeys: one.contextKeys,
  ...(isWhole && one.name !== undefined ? { name: one.name } : {}),
  ...(isWhole ? choicesOf(one) : {}),
  ...{ createdAt: time, updatedAt: time },
});

const details = (one: Subscription319) => ({
  id: '6a71f0a8bdcbd10c5f2b0003',
  identifier: one.identifier,
  ...(one.name === undefined ? {} : { name: one.name }),
  ...choicesOf(one),
  contextKeys: one.contextKeys,
});
