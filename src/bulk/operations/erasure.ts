// Erases a person: reads what the service has, deletes it, and reads each part again.
import { SvcError } from '../../core/errors.ts';
import { ifExists } from '../../core/if-found.ts';
import { isFinished } from '../../service/job-status.ts';
import { limits } from '../../service/limits.ts';
import type { RowRequests } from '../engine/plan.ts';

export type Call = RowRequests['call'];

/** In the order of the deletions. The activity stays. */
export type PersonalDataKind =
  | 'messages'
  | 'subscriptions'
  | 'credentials'
  | 'preferences'
  | 'subscriber';

export interface PendingTransaction {
  transactionId: string;
  workflow: string;
}

export interface PersonalData {
  messages: readonly string[];
  topics: readonly string[];
  providers: readonly string[];
  /** Whether events of the person stay in the service. */
  hasActivity: boolean;
  pending: readonly PendingTransaction[];
}

export interface Erasure {
  removed: PersonalDataKind[];
  /** These are still there; `activity` always stays. */
  left: (PersonalDataKind | 'activity')[];
}

/** Undefined if the subscriber does not exist. */
export async function surveyPerson(
  call: Call,
  subscriberId: string,
): Promise<PersonalData | undefined> {
  const path = { subscriberId };
  const subscriber = await ifExists(call('getSubscriber', { path }));
  if (!subscriber) return undefined;
  const { hasActivity, pending } = await surveyActivity(call, subscriberId);
  const providers = (subscriber.channels ?? []).map(({ providerId }) => providerId);
  return {
    ...{ hasActivity, pending },
    messages: await listMessages(call, subscriberId),
    topics: await listTopics(call, subscriberId),
    providers: [...new Set(providers)],
  };
}

/** Messages first and the subscriber last, so that an interrupted erasure can be repeated. */
export async function erasePerson(
  call: Call,
  subscriberId: string,
  data: PersonalData,
): Promise<Erasure> {
  await removePersonalData(call, subscriberId, data);
  // Not listed after the subscriber is deleted.
  const messages = await listMessages(call, subscriberId);
  await removeSubscriber(call, subscriberId);
  return provenErasure(call, subscriberId, data, messages.length > 0);
}

/** Sends the deletions only, for a dry run. */
export async function planErasure(call: Call, subscriberId: string, data: PersonalData) {
  await removePersonalData(call, subscriberId, data, 1);
  await removeSubscriber(call, subscriberId);
}

/** New messages can arrive in the meantime. */
const maxRounds = 3;

async function removePersonalData(
  call: Call,
  subscriberId: string,
  data: PersonalData,
  rounds = maxRounds,
) {
  const path = { subscriberId };
  let { messages } = data;
  for (let round = 1; messages.length > 0 && round <= rounds; round += 1) {
    for (const messageId of messages)
      await ifExists(call('deleteMessage', { path: { messageId } }));
    if (rounds > 1) messages = await listMessages(call, subscriberId);
  }
  for (const topicKey of data.topics)
    await unlessRejected(
      call('unsubscribeFromTopic', { path: { topicKey }, body: { subscriberIds: [subscriberId] } }),
    );
  for (const providerId of data.providers)
    await ifExists(call('deleteSubscriberCredentials', { path: { ...path, providerId } }));
}

const removeSubscriber = (call: Call, subscriberId: string) =>
  ifExists(call('deleteSubscriber', { path: { subscriberId } }));

async function provenErasure(
  call: Call,
  subscriberId: string,
  { messages, topics, providers, hasActivity }: PersonalData,
  hasMessages: boolean,
): Promise<Erasure> {
  const path = { subscriberId };
  const subscriber = await ifExists(call('getSubscriber', { path }));
  const preferences = await ifExists(call('getSubscriberPreferences', { path }));
  let isSubscribed = false;
  for (const topicKey of topics) {
    const query = { subscriberId };
    const page = await ifExists(call('listTopicSubscriptions', { path: { topicKey }, query }));
    isSubscribed ||= (page?.data.length ?? 0) > 0;
  }
  const parts: [PersonalDataKind, existed: boolean, isLeft: boolean][] = [
    ['messages', messages.length > 0, hasMessages],
    ['subscriptions', topics.length > 0, isSubscribed],
    ['credentials', providers.length > 0, (subscriber?.channels ?? []).length > 0],
    ['preferences', true, preferences !== undefined],
    ['subscriber', true, subscriber !== undefined],
  ];
  return {
    removed: parts.flatMap(([kind, existed, isLeft]) => (existed && !isLeft ? [kind] : [])),
    left: [
      ...parts.flatMap(([kind, , isLeft]) => (isLeft ? [kind] : [])),
      ...(hasActivity ? ['activity' as const] : []),
    ],
  };
}

async function surveyActivity(call: Call, subscriberId: string) {
  const pending = new Map<string, PendingTransaction>();
  let hasActivity = false;
  for (let page = 0; ; page += 1) {
    const { data, hasMore } = await call('listActivity', {
      query: { subscriberIds: [subscriberId], page, limit: limits.page.activity },
    });
    hasActivity ||= data.length > 0;
    for (const { transactionId, template, jobs = [] } of data)
      if (!jobs.every(isFinished))
        pending.set(transactionId, { transactionId, workflow: template?.name ?? '' });
    if (data.length === 0 || !hasMore) return { hasActivity, pending: [...pending.values()] };
  }
}

async function listMessages(call: Call, subscriberId: string): Promise<string[]> {
  const ids = new Set<string>();
  for (let page = 0; ; page += 1) {
    const known = ids.size;
    const query = { subscriberId, page, limit: limits.page.default };
    const response = await ifExists(call('listMessages', { query }));
    for (const { _id } of response?.data ?? []) if (_id !== undefined) ids.add(_id);
    if (ids.size === known || !response?.hasMore) return [...ids];
  }
}

async function listTopics(call: Call, subscriberId: string): Promise<string[]> {
  const keys: string[] = [];
  let after: string | undefined;
  do {
    const page = await ifExists(
      call('listSubscriberTopics', {
        path: { subscriberId },
        query: { limit: limits.page.default, after },
      }),
    );
    keys.push(...(page?.data ?? []).map(({ topic }) => topic.key));
    after = page?.next ?? undefined;
  } while (after !== undefined);
  return keys;
}

/** The service rejects the removal of a subscriber who is not subscribed; the subscription is read again later. */
async function unlessRejected(response: Promise<unknown>): Promise<void> {
  await ifExists(
    response.catch((error: unknown) => {
      if (!(error instanceof SvcError) || error.details.status !== 400) throw error;
    }),
  );
}
