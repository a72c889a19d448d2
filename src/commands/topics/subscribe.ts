// `svc topics subscribe`

import type { Context } from '../../app/context.ts';
import {
  type BulkOptions,
  bulkOptions,
  fileOption,
  summaryFields,
} from '../../bulk/command/options.ts';
import { shardOptions } from '../../bulk/command/shard-options.ts';
import type { Outcome } from '../../bulk/engine/plan.ts';
import type { Summary } from '../../bulk/engine/stats.ts';
import { command } from '../../cli/command.ts';
import { flag, optional, rest } from '../../cli/options.ts';
import { raceAbort } from '../../core/async.ts';
import { type ExitReason, SvcError, usageError } from '../../core/errors.ts';
import { counted, listText, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { isNewTopic, reportCreated, requireAnySubscriber } from './new-topic.ts';
import {
  lostChoiceLine,
  lostWorkflows,
  olderServer,
  readSubscriptions,
  subscriptionOptions,
} from './subscription-options.ts';

const declaredOptions = {
  create: flag('--create', 'Create the topic if it does not exist'),
  file: fileOption('subscribers'),
  ...subscriptionOptions,
  ...bulkOptions,
  ...shardOptions,
};

export const subscribe = command({
  summary: 'Add subscribers to a topic',
  details:
    'The topic must exist unless --create is given. With --create, the topic is not created if none of the given subscribers exists. Subscribers who are already subscribed stay subscribed. Spaces around the ids in a file are removed. Without a topic, a file needs the columns subscriberId and topicKey, such as the topics file of `svc subscribers export`; then its columns identifier, name, contextKeys and preferences are read, too.\n\nSince server 3.12, a subscriber can have several subscriptions in a topic, with different identifiers, each with its own choice of workflows.',
  arguments: {
    topicKey: optional('[topic-key]', 'Key of the topic', 'topics'),
    given: rest('[subscriber-id...]', 'Ids of the subscribers', 'subscribers'),
  },
  options: declaredOptions,
  output:
    'The number of subscribers that were added, and the ids that failed. As JSON, the response of the service; with --file, the summary of the run.',
  exitCodes: ['partial'],
  examples: [
    { line: 'svc topics subscribe announcements u1 u2', description: 'Add two subscribers' },
    { line: 'svc topics subscribe launch u1 --create', description: 'Create the topic' },
    {
      line: 'svc topics subscribe announcements --file users.csv',
      description: 'Add any number of subscribers from a file',
    },
    {
      line: 'svc topics subscribe announcements u1 --identifier u1-premium --workflow welcome --condition \'{"===":[{"var":"payload.tier"},"premium"]}\'',
      description: 'Get the events of workflow welcome only if the condition is met',
    },
    {
      line: 'svc topics subscribe --file people.topics.csv',
      description: 'Restore the subscriptions of an export',
    },
  ],
  fields: ({ options }) => (options.file === undefined ? undefined : summaryFields),
  operations: ['subscribeToTopic', 'getTopic', 'listTopics', 'getSubscriberPreferences'],
  gracefulShutdown: ({ options }) => options.file !== undefined,
  writes: ({ options }) => options.validateOnly !== true,
  async run(context, { args: { topicKey: givenKey, given: subscriberIds }, options }) {
    if (options.file !== undefined) return subscribeFile(context, givenKey, subscriberIds, options);
    const topicKey = givenKey ?? (await context.prompt.resource('topics', 'topic-key'));
    if (subscriberIds.length === 0) {
      throw usageError('No subscribers were given.', {
        next: [
          `svc topics subscribe ${shellWord(topicKey)} <subscriber-id>`,
          `svc topics subscribe ${shellWord(topicKey)} --file <file>`,
        ],
      });
    }
    const { batchLimits } = await import('../../service/operations/index.ts');
    const { count } = batchLimits('subscribeToTopic');
    if (subscriberIds.length > count) {
      throw usageError(`${subscriberIds.length} subscribers are too many: the limit is ${count}.`, {
        hint: 'Write the ids to a file and pass it with --file.',
      });
    }
    const body = await readSubscriptions(options, subscriberIds, context.host);
    const isNew = await isNewTopic(context, topicKey, options.create === true);
    if (isNew) await requireAnySubscriber(context, topicKey, subscriberIds);
    const client = await context.client();
    const value = await client
      .call('subscribeToTopic', { path: { topicKey }, body })
      .catch(async (error: unknown) => {
        if (isNew && error instanceof SvcError && error.exitReason === 'refused')
          await reportCreated(context, topicKey, 0);
        throw nameMissing(olderServer(error, body), subscriberIds);
      });
    const { readSubscriptionOutcomes } = await import('../../bulk/operations/subscriptions.ts');
    const { identifier } = options;
    const items = [...new Set(subscriberIds)].map((id) => ({
      id,
      ...(identifier === undefined ? {} : { identifier }),
    }));
    const outcomes = readSubscriptionOutcomes(value, items);
    const subscribed = outcomes.filter(({ state }) => state === 'subscribed').length;
    if (isNew) await reportCreated(context, topicKey, subscribed);
    const lost = subscribed === 0 ? [] : lostWorkflows(body.preferences, value.data);
    const exitReason: ExitReason =
      subscribed === 0
        ? 'refused'
        : subscribed < items.length || lost.length > 0
          ? 'partial'
          : 'ok';
    return result.report({
      value,
      headline: `Subscribed ${subscribed < items.length ? `${subscribed} of ` : ''}${counted(items.length, 'subscriber')} to ${topicKey}`,
      lines: [
        ...outcomes.flatMap((outcome, index) => failureLine(items[index]?.id, outcome)),
        ...lost.map(lostChoiceLine),
      ],
      ids: subscriberIds,
      end: result.exit(exitReason),
    });
  },
});

/** Names the subscribers that do not exist, if the service lists nothing else. */
function nameMissing(error: unknown, ids: readonly string[]): unknown {
  if (!(error instanceof SvcError)) return error;
  const { fieldErrors = [] } = error.details;
  const isMissing = fieldErrors.every(
    ({ field, message }) => ids.includes(field) && /could not be found/.test(message),
  );
  if (error.details.status !== 400 || fieldErrors.length === 0 || !isMissing) return error;
  const names = listText(fieldErrors.map(({ field }) => field));
  const verb = fieldErrors.length === 1 ? 'does' : 'do';
  return error.with({
    message: `${counted(fieldErrors.length, 'subscriber')} could not be added: ${names} ${verb} not exist.`,
  });
}

function failureLine(id: string | undefined, outcome: Outcome): string[] {
  if (outcome.state === 'subscribed') return [];
  return [`  ${id}: ${'reason' in outcome ? outcome.reason : 'the response does not mention it'}`];
}

async function subscribeFile(
  context: Context,
  topicKey: string | undefined,
  subscriberIds: readonly string[],
  { file = '-', create, ...options }: BulkOptions & { file?: string; create?: boolean },
) {
  if (subscriberIds.length > 0) throw usageError('--file cannot be combined with subscriber ids.');
  const isNew =
    topicKey !== undefined &&
    !options.validateOnly &&
    (await raceAbort(isNewTopic(context, topicKey, create === true), context.host.shutdownSignal));
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const {
    createSubscriptionPlan,
    createSubscriptionReader,
    createTopicReader,
    subscriptionFields,
  } = await import('../../bulk/operations/subscriptions.ts');
  const { subscriptionCells } = await import('../../service/schemas/topics.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  const report = await runBulk(context, {
    command: 'topics subscribe',
    activeVerb: 'Subscribing',
    pastVerb: 'Subscribed',
    args: { topicKey, given: [] },
    options: { ...options, create, file },
    declaredOptions,
    file,
    retry: {
      words: ['topics', 'subscribe', ...(topicKey === undefined ? [] : [topicKey]), '--file'],
    },
    isRepeatable: true,
    idField: 'subscriberId',
    fields: topicKey === undefined ? subscriptionFields : ['subscriberId'],
    openPlan: async (source) => {
      const readId = createIdReader(source, 'subscriberId');
      if (topicKey !== undefined) return createSubscriptionPlan(() => ({ topicKey }), readId);
      const topics = await knownTopics(context, create === true);
      const readTopic = createTopicReader(createIdReader(source, 'topicKey'), topics);
      const readSubscription = createSubscriptionReader(source, subscriptionCells);
      return createSubscriptionPlan(readTopic, readId, readSubscription);
    },
  });
  const { subscribed = 0, requests = 0 } = readSummary(report);
  if (isNew && topicKey !== undefined && requests > 0)
    await reportCreated(context, topicKey, subscribed);
  return report;
}

/** The keys of all topics; undefined if missing ones are created. */
async function knownTopics(context: Context, mayCreate: boolean): Promise<Set<string> | undefined> {
  if (mayCreate) return undefined;
  const keys = new Set<string>();
  for await (const { items } of context.pages('listTopics', {}, { all: true }))
    for (const { key } of items) keys.add(key);
  return keys;
}

const readSummary = (report: result.Result): Partial<Summary> =>
  report.kind === 'report' ? (report.value as Partial<Summary>) : {};
