// `svc topics subscribe`
import { command } from '../../cli/command.ts';
import { flag, required, rest, text } from '../../cli/options.ts';
import type { Context } from '../../context.ts';
import { type Ending, usageError } from '../../errors.ts';
import { counted } from '../../output/progress.ts';
import * as result from '../../output/result.ts';
import { type BulkOptions, bulkOptions, summaryFields } from '../bulk-options.ts';
import { orNearestTopic } from '../nearest.ts';

export const subscribe = command({
  summary: 'Subscribe subscribers to a topic',
  details:
    'A topic that does not exist is an error unless --create is given. Who is subscribed already stays so.',
  arguments: {
    topicKey: required('<topic-key>', 'Key of the topic', 'topics'),
    given: rest('[subscriber-id...]', 'Subscribers', 'subscribers'),
  },
  options: {
    create: flag('--create', 'Create the topic when it does not exist'),
    file: text(
      '--file <file|->',
      'A list of subscribers: one id a line, or a CSV, NDJSON or JSON file',
      {
        complete: 'files',
        group: 'Input',
      },
    ),
    ...bulkOptions,
  },
  gives:
    'How many were subscribed and who was not; as data, the answer of the service, with --file the summary of the run.',
  ends: ['partial'],
  examples: [
    { line: 'svc topics subscribe announcements u1 u2', means: 'Two subscribers' },
    { line: 'svc topics subscribe launch u1 --create', means: 'A new topic' },
    { line: 'svc topics subscribe announcements --file users.csv', means: 'A list of any length' },
  ],
  fields: ({ options }) => (options.file === undefined ? undefined : summaryFields),
  calls: ['subscribeToTopic', 'getTopic', 'listTopics'],
  writes: ({ options }) => options.validateOnly !== true,
  async run(context, { args: { topicKey, given: subscriberIds }, options }) {
    if (options.file !== undefined) return subscribeFile(context, topicKey, subscriberIds, options);
    if (subscriberIds.length === 0) {
      throw usageError('No subscriber is named.', {
        next: [
          `svc topics subscribe ${topicKey} <subscriber-id>`,
          `svc topics subscribe ${topicKey} --file <file>`,
        ],
      });
    }
    const { count } = context.batchOf('subscribeToTopic');
    if (subscriberIds.length > count) {
      throw usageError(
        `${subscriberIds.length} subscribers are more than one request may carry (${count}).`,
        { hint: 'Put them into a file and give it with --file.' },
      );
    }
    if (!options.create) await mustExist(context, topicKey);
    const client = await context.client();
    const value = await client.call('subscribeToTopic', {
      path: { topicKey },
      body: { subscriberIds },
    });
    const { meta, errors } = value;
    const some = meta.failed > 0 ? `${meta.successful} of ` : '';
    return result.report({
      value,
      headline: `Subscribed ${some}${counted(meta.totalCount, 'subscriber')} to ${topicKey}`,
      lines: (errors ?? []).map(({ subscriberId, message }) => `  ${subscriberId}: ${message}`),
      ids: subscriberIds,
      ...(meta.failed > 0
        ? { ending: (meta.successful === 0 ? 'refused' : 'partial') as Ending }
        : {}),
    });
  },
});

const mustExist = async (context: Context, topicKey: string) => {
  const client = await context.client();
  await orNearestTopic(context, topicKey, () => client.call('getTopic', { path: { topicKey } }));
};

async function subscribeFile(
  context: Context,
  topicKey: string,
  named: readonly string[],
  { file = '-', create, ...options }: BulkOptions & { file?: string; create?: boolean },
) {
  if (named.length > 0) throw usageError('Give subscribers or --file, not both.');
  if (!create && !options.validateOnly) await mustExist(context, topicKey);
  const { idReader } = await import('../../runs/plans/id-list.ts');
  const { subscriptionPlan } = await import('../../runs/plans/subscriptions.ts');
  const { runBulk } = await import('../bulk-run.ts');
  return runBulk(context, {
    command: 'topics subscribe',
    doing: 'Subscribing',
    did: 'Subscribed',
    args: { topicKey, given: [] },
    options: { ...options, create, file },
    file,
    again: { words: ['topics', 'subscribe', topicKey, '--file'] },
    repeatable: true,
    idField: 'subscriberId',
    planOf: async (source) => subscriptionPlan(topicKey, idReader(source, 'subscriberId')),
  });
}
