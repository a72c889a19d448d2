// Who an event is for: the options that name recipients, and the recipients they mean.
import type { Client } from '../../api/client.ts';
import type { Values } from '../../cli/command.ts';
import { flag, several, text } from '../../cli/options.ts';
import { counted } from '../../core/counts.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { readJsonObject } from '../../input/values.ts';

const recipients = 'Recipients';
const most = 100;

export const recipientOptions = {
  to: several('--to <subscriber-id>', 'A subscriber; created if unknown', {
    group: recipients,
    complete: 'subscribers',
  }),
  toData: text('--to-data <json|@file>', 'A subscriber with fields, created or updated', {
    group: recipients,
  }),
  toTopic: several('--to-topic <topic-key>', 'All subscribers of a topic', {
    group: recipients,
    complete: 'topics',
  }),
  existingOnly: flag(
    '--existing-only',
    'Check that the subscribers exist, instead of creating them',
    {
      group: recipients,
    },
  ),
};

interface Subscriber {
  subscriberId: string;
}

export type Recipient = Subscriber | { type: 'Topic'; topicKey: string };

/** The recipients that the options name: at least one, at most a hundred. */
export async function recipientsOf(
  { to = [], toData, toTopic = [] }: Partial<Values<typeof recipientOptions>>,
  workflowId: string,
): Promise<Recipient[]> {
  const named: Recipient[] = [
    ...to.map((subscriberId) => ({ subscriberId })),
    ...(toData === undefined ? [] : [await described(toData)]),
    ...toTopic.map((topicKey) => ({ type: 'Topic' as const, topicKey })),
  ];
  const line = `svc events trigger ${workflowId}`;
  if (named.length === 0) {
    throw usageError('No recipient is named.', { next: [`${line} --to <subscriber-id>`] });
  }
  if (named.length > most) {
    throw usageError(`${named.length} recipients are more than one event may have (${most}).`, {
      hint: 'With a file of recipients each gets an event of its own.',
      next: [`${line} --recipients <users.csv>`],
    });
  }
  return named;
}

async function described(typed: string): Promise<Subscriber> {
  const value = await readJsonObject(typed, '--to-data');
  if (typeof value.subscriberId === 'string') return value as object as Subscriber;
  throw usageError('--to-data: the member subscriberId is missing.');
}

const isTopic = (to: Recipient) => 'topicKey' in to;

/** In words, when it is more than one subscriber; that is asked about. */
export function manyRecipients(to: readonly Recipient[]): string | undefined {
  const topics = to.flatMap((one) => ('topicKey' in one ? [one.topicKey] : []));
  if (to.length === 1 && topics.length === 0) return undefined;
  const subscribers = to.length - topics.length;
  return [
    ...(subscribers > 0 ? [counted(subscribers, 'subscriber')] : []),
    ...(topics.length > 0 ? [`everybody in ${topics.join(', ')}`] : []),
  ].join(' and ');
}

export function recipientsText(to: readonly Recipient[]): string {
  const [only] = to;
  if (to.length !== 1 || only === undefined) return counted(to.length, 'recipient');
  return 'topicKey' in only ? `topic ${only.topicKey}` : only.subscriberId;
}

/** The service would create subscribers it does not know. What it tells of one shows that it does. */
export async function mustExist(client: Client, to: readonly Recipient[]): Promise<void> {
  const missing: string[] = [];
  for (const one of to) {
    if (isTopic(one) || !('subscriberId' in one)) continue;
    const { subscriberId } = one;
    try {
      await client.call('getSubscriberPreferences', { path: { subscriberId } });
    } catch (error) {
      if (!(error instanceof SvcError) || error.exitReason !== 'notFound') throw error;
      missing.push(subscriberId);
    }
  }
  if (missing.length === 0) return;
  const what = missing.length === 1 ? 'There is no subscriber' : 'There are no subscribers';
  throw new SvcError('notFound', `${what} ${missing.map((id) => `\`${id}\``).join(', ')}.`, {
    hint: 'Nothing was triggered. Without --existing-only the service creates them.',
  });
}
