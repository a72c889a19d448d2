// Options that name the recipients of an event, and the recipients in the request.

import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/command.ts';
import { flag, json, several } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { counted, listText, shellWord } from '../../core/text.ts';
import { readJsonObject, type WorkingFolder } from '../../input/values.ts';
import { outputShape } from '../../output/printer.ts';
import { limits } from '../../service/limits.ts';
import { countSubscriptions, readTopic } from '../shared/missing-resources.ts';

const recipients = 'Recipients';

export const recipientOptions = {
  to: several('--to <subscriber-id>', 'A subscriber; created if it does not exist', {
    group: recipients,
    complete: 'subscribers',
  }),
  toData: json('--to-data <json|@file>', 'A subscriber with fields; created or updated', {
    group: recipients,
  }),
  toTopic: several('--to-topic <topic-key>', 'All subscribers of a topic', {
    group: recipients,
    complete: 'topics',
  }),
  existingOnly: flag(
    '--existing-only',
    'Fail if a subscriber does not exist, instead of creating it; from a file, reject its rows',
    { group: recipients },
  ),
};

interface Subscriber {
  subscriberId: string;
}

export type Recipient = Subscriber | { type: 'Topic'; topicKey: string };

/** Returns the recipients. Throws a usage error for none or more than 100. */
export async function readRecipients(
  { to = [], toData, toTopic = [] }: Partial<Values<typeof recipientOptions>>,
  workflowId: string,
  folder: WorkingFolder,
): Promise<Recipient[]> {
  const all: Recipient[] = [
    ...to.map((subscriberId) => ({ subscriberId })),
    ...(toData === undefined ? [] : [await readSubscriber(toData, folder)]),
    ...toTopic.map((topicKey) => ({ type: 'Topic' as const, topicKey })),
  ];
  const line = `svc events trigger ${shellWord(workflowId)}`;
  if (all.length === 0) {
    throw usageError('No recipient is given.', { next: [`${line} --to <subscriber-id>`] });
  }
  if (all.length > limits.recipientsPerEvent) {
    throw usageError(
      `An event can have at most ${limits.recipientsPerEvent} recipients, not ${all.length}.`,
      {
        hint: 'Use --recipients to trigger one event per row of a file.',
        next: [`${line} --recipients <users.csv>`],
      },
    );
  }
  return all;
}

async function readSubscriber(text: string, folder: WorkingFolder): Promise<Subscriber> {
  const value = await readJsonObject(text, '--to-data', folder);
  if (typeof value.subscriberId === 'string') return value as object as Subscriber;
  throw usageError('--to-data: `subscriberId` is required.');
}

/** The subscriptions of the topics, as text. A topic is missing if the service does not count them. */
export type TopicSizes = ReadonlyMap<string, string>;

/** Reads the topics, which must exist: the service would accept an event for another one. Counts only for a person. */
export async function readTopics(
  context: Context,
  topicKeys: readonly string[],
): Promise<TopicSizes> {
  const sizes = new Map<string, string>();
  for (const topicKey of topicKeys) {
    await readTopic(context, topicKey);
    if (!context.prompt.isPossible && outputShape(context) !== 'table') continue;
    const count = await countSubscriptions(await context.client(), topicKey);
    if (count === undefined) continue;
    sizes.set(topicKey, count === '1' ? '1 subscription' : `${count} subscriptions`);
    if (count === '0')
      context.warn(
        `Topic ${topicKey} has no subscribers, so the event notifies no one through it.`,
      );
  }
  return sizes;
}

const topicText = (topicKey: string, sizes: TopicSizes | undefined) =>
  sizes?.has(topicKey) ? `${topicKey} (${sizes.get(topicKey)})` : topicKey;

/** Describes the recipients for the confirmation; undefined for a single subscriber, which needs none. */
export function manyRecipients(to: readonly Recipient[], sizes?: TopicSizes): string | undefined {
  const topics = to.flatMap((recipient) =>
    'topicKey' in recipient ? [topicText(recipient.topicKey, sizes)] : [],
  );
  if (to.length === 1 && topics.length === 0) return undefined;
  const subscribers = to.length - topics.length;
  return [
    ...(subscribers > 0 ? [counted(subscribers, 'subscriber')] : []),
    ...(topics.length > 0 ? [`all subscribers of ${listText(topics)}`] : []),
  ].join(' and ');
}

export function recipientsText(to: readonly Recipient[], sizes: TopicSizes): string {
  const [only] = to;
  if (to.length !== 1 || only === undefined) return counted(to.length, 'recipient');
  return 'topicKey' in only ? `topic ${topicText(only.topicKey, sizes)}` : only.subscriberId;
}
