// Selects subscribers of an environment, reads their profiles and preferences, and writes them to its state file.
import { collectItems, mapConcurrently } from '../core/async.ts';
import { ifExists, isMissing, isNotOffered, SvcError } from '../core/errors.ts';
import type { ChannelSettings } from '../service/schemas/subscribers.ts';
import type { ListedSubscription } from '../service/schemas/topics.ts';
import { ownPreferences, type WorkflowSwitches } from './own-preferences.ts';
import type { GivenSubscriber } from './personal-data.ts';
import { ifOffered, isRequestable, type PullRun } from './pull-resources.ts';
import {
  readSubscription,
  type SubscriptionReference,
  type TopicSubscription,
} from './subscriptions.ts';

export interface Selection {
  subscriber?: readonly string[] | undefined;
  topic?: readonly string[] | undefined;
  sample?: number | undefined;
  noPreferences?: boolean | undefined;
  /** Device tokens and webhook addresses are replaced instead of left out: whether there are some decides deliveries. */
  withPlaceholders?: boolean | undefined;
  /** Subscribers to read if they exist. */
  recipients?: Iterable<string> | undefined;
}

/** Requests that are sent at the same time. */
const concurrentRequests = 8;

interface Candidate {
  subscriberId: string;
  /** From a listing. */
  profile?: GivenSubscriber;
  /** Named on the command line, so it must exist. */
  isNamed?: true;
}

/** Returns the ids of the subscribers in the file, as the service has them. */
export async function pullSubscribers(
  run: PullRun,
  selection: Selection,
  switches: ReadonlyMap<string, WorkflowSwitches>,
): Promise<ReadonlySet<string>> {
  const written = new Set<string>();
  const profiles = profileReader(run);
  const read = async ({ subscriberId, profile, isNamed }: Candidate) => {
    const [listed, preferences] = await Promise.all([
      profile ?? profiles.read(subscriberId),
      selection.noPreferences ? undefined : readPreferences(run, subscriberId),
    ]);
    // It can be deleted while the listing is read.
    const isGone = listed === undefined || (preferences === null && profile === undefined);
    if (isGone && isNamed)
      throw new SvcError(
        'notFound',
        `Subscriber \`${subscriberId}\` does not exist ${run.service.place}.`,
        { next: [run.propose('svc subscribers list', run.service.profile)] },
      );
    return isGone ? undefined : { subscriberId, listed, preferences: preferences ?? undefined };
  };
  const selected = mapConcurrently(candidates(run, selection), concurrentRequests, read);
  for await (const subscriber of selected) {
    if (!subscriber) continue;
    const own =
      subscriber.preferences && ownPreferences(subscriber.preferences, (id) => switches.get(id));
    const state = {
      ...run.filter.subscriber(subscriber.listed),
      ...(selection.withPlaceholders ? placeholders(run, subscriber.listed) : {}),
      ...(own ? { preferences: own } : {}),
    };
    if (!run.add('subscribers', state, subscriber.subscriberId)) continue;
    written.add(subscriber.subscriberId);
    if (own) run.counts.preferences += 1;
  }
  if (profiles.isMissing())
    run.notOffered.push('The profiles of subscribers are not readable. The file has only the ids.');
  return written;
}

/** Credentials of the same form that lead nowhere. */
function placeholders({ integrations }: PullRun, { channels }: GivenSubscriber) {
  const entries = ((channels ?? []) as ChannelSettings[]).flatMap(
    ({ _integrationId, credentials: { deviceTokens = [], webhookUrl, channel } = {} }) => {
      const identifier = integrations.get(_integrationId);
      const own = {
        ...(deviceTokens.length > 0
          ? { deviceTokens: deviceTokens.map((_token, index) => `token-${index + 1}`) }
          : {}),
        ...(webhookUrl ? { webhookUrl: 'https://example.com/webhook' } : {}),
        ...(channel ? { channel: 'channel' } : {}),
      };
      return identifier === undefined || Object.keys(own).length === 0 ? [] : [[identifier, own]];
    },
  );
  return entries.length === 0 ? {} : { credentials: Object.fromEntries(entries) };
}

/**
 * The sample first: it consists of the oldest subscribers, and the order of a state file is the order of creation.
 * Each subscriber once.
 */
async function* candidates(
  run: PullRun,
  { sample, subscriber = [], topic = [], recipients = [] }: Selection,
): AsyncGenerator<Candidate, void, void> {
  const seenIds = new Set<string>();
  const isNew = (id: string) =>
    seenIds.size < seenIds.add(id).size && isRequestable(run, 'subscriber', id);
  if (sample !== undefined) {
    for await (const profile of sampled(run, sample)) {
      const { subscriberId } = profile;
      if (isNew(subscriberId)) yield { subscriberId, profile };
    }
  }
  for (const subscriberId of subscriber)
    if (isNew(subscriberId)) yield { subscriberId, isNamed: true };
  for (const subscriberId of recipients) if (isNew(subscriberId)) yield { subscriberId };
  for (const topicKey of topic)
    for await (const subscriberId of listMembers(run, topicKey))
      if (isNew(subscriberId)) yield { subscriberId };
}

async function* sampled(run: PullRun, count: number): AsyncGenerator<GivenSubscriber, void, void> {
  const query = { orderDirection: 'ASC' } as const;
  try {
    for await (const { items } of run.service.pages('listSubscribers', { query }, count))
      yield* items;
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    run.notOffered.push('The subscribers cannot be listed. The file has no sample of them.');
  }
}

async function* listMembers(run: PullRun, topicKey: string): AsyncGenerator<string, void, void> {
  const input = { path: { topicKey }, query: { orderDirection: 'ASC' } } as const;
  try {
    for await (const { items } of run.service.pages('listTopicSubscriptions', input))
      for (const { subscriber } of items) yield subscriber.subscriberId;
  } catch (error) {
    if (isMissing(error)) throw await missingTopicError(run, topicKey, error);
    if (!isNotOffered(error)) throw error;
    run.notOffered.push(`The subscribers of topic ${topicKey} cannot be listed.`);
  }
}

/** The newest topics are enough to find a typo. */
const suggestedTopics = 200;

async function missingTopicError(run: PullRun, topicKey: string, error: unknown) {
  if (!(error instanceof SvcError)) return error;
  const { service } = run;
  const topics = await collectItems(service.pages('listTopics', {}, suggestedTopics));
  return error.with({
    message: `Topic \`${topicKey}\` does not exist ${service.place}.`,
    suggestion: { input: topicKey, candidates: topics.map(({ key }) => key) },
    next: [run.propose('svc topics list', service.profile)],
  });
}

/** Reads profiles. On a server without this operation, a profile is only the id. */
function profileReader({ service: { client } }: PullRun) {
  let isOffered = true;
  return {
    isMissing: () => !isOffered,
    async read(subscriberId: string): Promise<GivenSubscriber | undefined> {
      if (!isOffered) return { subscriberId };
      try {
        return await client.call('getSubscriber', { path: { subscriberId } });
      } catch (error) {
        if (isMissing(error)) return undefined;
        if (!isNotOffered(error)) throw error;
        isOffered = false;
        return { subscriberId };
      }
    },
  };
}

/** Null if the subscriber does not exist. */
async function readPreferences({ service: { client } }: PullRun, subscriberId: string) {
  const input = { path: { subscriberId }, query: { criticality: 'all' } } as const;
  return (await ifExists(client.call('getSubscriberPreferences', input))) ?? null;
}

// Reads the topics of an environment, and which of the selected subscribers they have.

/** For more subscribers, fewer requests are needed to read all subscriptions of every topic. */
const maxRequestsBySubscriber = 200;

interface Topic {
  key: string;
  name?: string | null | undefined;
}

type MembersOf = (topicKey: string) => Promise<readonly SubscriptionReference[]>;

/** `selected`: the ids of the subscribers in the file. */
export async function pullTopics(run: PullRun, selected: ReadonlySet<string>): Promise<void> {
  const readMembers = await memberReader(run, selected);
  const list = async (topic: Topic) => ({ topic, listed: await readMembers(topic.key) });
  /** The members of every topic; an entry without a member ends its topic. */
  async function* entries() {
    for await (const { topic, listed } of mapConcurrently(topics(run), concurrentRequests, list)) {
      for (const item of listed) yield { topic, item };
      yield { topic };
    }
  }
  const read = async ({ topic, item }: { topic: Topic; item?: SubscriptionReference }) => ({
    topic,
    member: item && (await readSubscription(run.service.client, topic.key, item)),
  });
  await ifOffered(run, 'The topics cannot be listed.', async () => {
    let members: TopicSubscription[] = [];
    for await (const { topic, member } of mapConcurrently(entries(), concurrentRequests, read)) {
      if (member) {
        members.push(member);
        continue;
      }
      if (run.add('topics', run.filter.topic(topic.key, topic.name, members), topic.key))
        run.counts.subscriptions += members.length;
      members = [];
    }
  });
}

async function* topics(run: PullRun): AsyncGenerator<Topic, void, void> {
  const query = { orderDirection: 'ASC' } as const;
  for await (const { items } of run.service.pages('listTopics', { query }))
    yield* items.filter(({ key }) => isRequestable(run, 'topic', key));
}

async function memberReader(run: PullRun, selected: ReadonlySet<string>): Promise<MembersOf> {
  if (selected.size === 0) return async () => [];
  if (selected.size <= maxRequestsBySubscriber) {
    const subscriptions = await readSubscriptions(run, selected);
    if (subscriptions) return async (key) => distinct(subscriptions.get(key) ?? []);
  }
  return membersByTopic(run, selected);
}

/** The selected subscribers of each topic, in the order of the file. Undefined if the service does not offer this. */
async function readSubscriptions({ service }: PullRun, selected: ReadonlySet<string>) {
  const subscriptions = new Map<string, SubscriptionReference[]>();
  const read = async (subscriberId: string) => {
    const input = { path: { subscriberId }, query: {} };
    // Undefined if it was deleted in the meantime.
    return (await ifExists(service.listAll('listSubscriberTopics', input))) ?? [];
  };
  try {
    for await (const listed of mapConcurrently(selected, concurrentRequests, read))
      for (const subscription of listed) {
        const { key } = subscription.topic;
        subscriptions.set(key, [...(subscriptions.get(key) ?? []), toReference(subscription)]);
      }
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
  return subscriptions;
}

/** Each of a topic once, even if the pages of the service overlap. */
const distinct = (subscriptions: readonly SubscriptionReference[]): SubscriptionReference[] => [
  ...new Map(
    subscriptions.map((item) => [item.identifier ?? item.subscriber.subscriberId, item]),
  ).values(),
];

/** A large topic takes less memory without the profiles of its subscribers. */
const toReference = ({
  subscriber: { subscriberId },
  identifier,
  contextKeys,
}: ListedSubscription): SubscriptionReference => ({
  subscriber: { subscriberId },
  ...(identifier === undefined ? {} : { identifier, contextKeys }),
});

/** In the order of the subscriptions. */
function membersByTopic(run: PullRun, selected: ReadonlySet<string>): MembersOf {
  let isOffered = true;
  return async (topicKey) => {
    const members: SubscriptionReference[] = [];
    const input = { path: { topicKey }, query: { orderDirection: 'ASC' } } as const;
    try {
      if (isOffered)
        for await (const { items } of run.service.pages('listTopicSubscriptions', input))
          members.push(
            ...items
              .filter(({ subscriber }) => selected.has(subscriber.subscriberId))
              .map(toReference),
          );
    } catch (error) {
      if (isNotOffered(error)) {
        if (isOffered) run.notOffered.push('The subscriptions of topics are not readable.');
        isOffered = false;
      } else if (!isMissing(error)) throw error;
    }
    return distinct(members);
  };
}
