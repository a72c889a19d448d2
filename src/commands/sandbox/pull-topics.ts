// Reads the topics of an environment, and which of the selected subscribers they have.

import { mapConcurrently } from '../../core/async.ts';
import { ifExists, isMissing, isNotOffered } from '../../core/errors.ts';
import { ifOffered, isRequestable, type PullRun } from './pull-run.ts';
import { concurrentRequests } from './pull-subscribers.ts';

/** For more subscribers, fewer requests are needed to read all subscriptions of every topic. */
const maxRequestsBySubscriber = 200;

interface Topic {
  key: string;
  name?: string | null | undefined;
}

type MembersOf = (topicKey: string) => Promise<readonly string[]>;

/** `selected`: the ids of the subscribers in the file. */
export async function pullTopics(run: PullRun, selected: ReadonlySet<string>): Promise<void> {
  const readMembers = await memberReader(run, selected);
  const read = async ({ key, name }: Topic) => ({ key, name, members: await readMembers(key) });
  await ifOffered(run, 'The topics cannot be listed.', async () => {
    for await (const { key, name, members } of mapConcurrently(
      topics(run),
      concurrentRequests,
      read,
    )) {
      if (run.add('topics', run.filter.topic(key, name, members), key))
        run.counts.subscriptions += members.length;
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
    if (subscriptions) return async (key) => subscriptions.get(key) ?? [];
  }
  return membersByTopic(run, selected);
}

/** The selected subscribers of each topic, in the order of the file. Undefined if the service does not offer this. */
async function readSubscriptions({ service }: PullRun, selected: ReadonlySet<string>) {
  const subscriptions = new Map<string, string[]>();
  const read = async (subscriberId: string) => {
    const input = { path: { subscriberId }, query: {} };
    // Undefined if it was deleted in the meantime.
    const listed = await ifExists(service.listAll('listSubscriberTopics', input));
    return { subscriberId, keys: new Set(listed?.map(({ topic }) => topic.key)) };
  };
  try {
    for await (const { subscriberId, keys } of mapConcurrently(selected, concurrentRequests, read))
      for (const key of keys) {
        const members = subscriptions.get(key) ?? [];
        subscriptions.set(key, members);
        members.push(subscriberId);
      }
  } catch (error) {
    if (isNotOffered(error)) return undefined;
    throw error;
  }
  return subscriptions;
}

/** In the order of the subscriptions. */
function membersByTopic(run: PullRun, selected: ReadonlySet<string>): MembersOf {
  let isOffered = true;
  return async (topicKey) => {
    const members = new Set<string>();
    const input = { path: { topicKey }, query: { orderDirection: 'ASC' } } as const;
    try {
      if (isOffered)
        for await (const { items } of run.service.pages('listTopicSubscriptions', input))
          for (const { subscriber } of items)
            if (selected.has(subscriber.subscriberId)) members.add(subscriber.subscriberId);
    } catch (error) {
      if (isNotOffered(error)) {
        if (isOffered) run.notOffered.push('The subscriptions of topics are not readable.');
        isOffered = false;
      } else if (!isMissing(error)) throw error;
    }
    return [...members];
  };
}
