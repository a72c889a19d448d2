// `svc topics subscribe`
import { command } from '../../cli/command.ts';
import { flag, required, rest } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { type Ending, usageError } from '../../errors.ts';
import * as result from '../../output/result.ts';
import { orNearest } from './missing.ts';

export const subscribe = command({
  summary: 'Subscribe subscribers to a topic',
  details:
    'A topic that does not exist is an error unless --create is given. Who is subscribed already stays so.',
  arguments: {
    topicKey: required('<topic-key>', 'Key of the topic', 'topics'),
    first: required('<subscriber-id>', 'A subscriber', 'subscribers'),
    others: rest('[subscriber-id...]', 'More of them', 'subscribers'),
  },
  options: { create: flag('--create', 'Create the topic when it does not exist') },
  gives: 'How many were subscribed and who was not; as data, the answer of the service.',
  examples: [
    { line: 'svc topics subscribe announcements u1 u2', means: 'Two subscribers' },
    { line: 'svc topics subscribe launch u1 --create', means: 'A new topic' },
  ],
  calls: ['subscribeToTopic', 'getTopic', 'listTopics'],
  writes: true,
  async run(context, { args: { topicKey, first, others }, options }) {
    const subscriberIds = [first, ...others];
    const { count } = context.batchOf('subscribeToTopic');
    if (subscriberIds.length > count) {
      throw usageError(
        `${subscriberIds.length} subscribers are more than one request may carry (${count}).`,
      );
    }
    if (!options.create) await mustExist(context, topicKey);
    const client = await context.client();
    const value = await client.call('subscribeToTopic', {
      path: { topicKey },
      body: { subscriberIds },
    });
    const { meta, errors = [] } = value;
    return result.report({
      value,
      lines: [
        `${meta.successful} of ${meta.totalCount} subscribed to ${topicKey}.`,
        ...errors.map(({ subscriberId, message }) => `  ${subscriberId}: ${message}`),
      ],
      ids: subscriberIds,
      ...(meta.failed > 0
        ? { ending: (meta.successful === 0 ? 'refused' : 'partial') as Ending }
        : {}),
    });
  },
});

const mustExist = async (context: Context, topicKey: string) => {
  const client = await context.client();
  await orNearest(context, topicKey, () => client.call('getTopic', { path: { topicKey } }));
};
