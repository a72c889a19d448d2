import type { Context } from '../../app/context.ts';
import {
  bulkOptions,
  fileOption,
  shardOptions,
  summaryFields,
} from '../../bulk/command/options.ts';
import { isList, runNamed, type SentId, type SentRequests } from '../../bulk/command/run-named.ts';
import type { Summary } from '../../bulk/engine/stats.ts';
import type { SubscriptionRow } from '../../bulk/operations/subscriptions.ts';
import { command } from '../../cli/command.ts';
import { flag, optional } from '../../cli/options.ts';
import { ifExists, SvcError } from '../../core/errors.ts';
import { counted, listText, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { SubscribeResponse } from '../../service/schemas/topics.ts';
import { subscribersArgument } from '../shared/arguments.ts';
import { listMissing, readTopic, subscriberExists } from '../shared/missing-resources.ts';
import {
  joined,
  lostChoiceLine,
  lostWorkflows,
  olderServer,
  readSubscription,
  subscriptionOptions,
} from './subscription-options.ts';

export const subscribe = command({
  summary: 'Add subscribers to a topic',
  details:
    'The topic must exist unless --create is given. With --create, the topic is not created if none of the given subscribers exists. Subscribers who are already subscribed stay subscribed. Spaces around the ids in a file are removed. Without a topic, a file needs the columns subscriberId and topicKey, such as the topics file of `svc subscribers export`; then its columns identifier, name, contextKeys and preferences are read, too.\n\nSince server 3.12, a subscriber can have several subscriptions in a topic, with different identifiers, each with its own choice of workflows.',
  arguments: {
    topicKey: optional('[topic-key]', 'Key of the topic', 'topics'),
    ids: subscribersArgument,
  },
  options: {
    create: flag('--create', 'Create the topic if it does not exist'),
    file: fileOption('subscribers'),
    ...subscriptionOptions,
    ...bulkOptions,
    ...shardOptions,
  },
  output:
    'The number of subscribers that were added, and the ids that failed. As JSON, the response of the service; with - or --file, the summary of the run.',
  exitCodes: ['partial'],
  examples: {
    'svc topics subscribe announcements u1 u2': 'Add two subscribers',
    'svc topics subscribe launch u1 --create': 'Create the topic',
    'svc topics subscribe announcements --file users.csv':
      'Add any number of subscribers from a file',
    'svc topics subscribe announcements u1 --identifier u1-premium --workflow welcome --condition \'{"===":[{"var":"payload.tier"},"premium"]}\'':
      'Get the events of workflow welcome only if the condition is met',
    'svc topics subscribe --file people.topics.csv': 'Restore the subscriptions of an export',
  },
  fields: ({ args, options }) => (isList(args.ids, options) ? summaryFields : undefined),
  operations: ['subscribeToTopic', 'getTopic', 'listTopics', 'getSubscriberPreferences'],
  gracefulShutdown: ({ args, options }) => isList(args.ids, options),
  writes: ({ options }) => options.validateOnly !== true,
  async run(context, input) {
    const { args, options } = input;
    const { create = false } = options;
    const { ids } = args;
    const hasList = isList(ids, options);
    const topicKey = hasList
      ? args.topicKey
      : (args.topicKey ?? (await context.prompt.resource('topics', 'topic-key')));
    const topic = topicKey === undefined ? '' : `${shellWord(topicKey)} `;
    const subscription = hasList ? undefined : await readSubscription(options, ids, context.host);
    const { createSubscriptionSender, openSubscriptionSender, subscriptionFields } = await import(
      '../../bulk/operations/subscriptions.ts'
    );
    let isNew = false;
    const reportTopic = async (subscribed: number) => {
      if (isNew && topicKey !== undefined) await reportCreated(context, topicKey, subscribed);
    };
    const ended = await runNamed(context, {
      ids,
      noun: 'subscriber',
      next: ['<subscriber-id>', '--file <file>'].map(
        (end) => `svc topics subscribe ${topic}${end}`,
      ),
      async confirm(_target, ids) {
        if (topicKey === undefined) return;
        isNew = await isNewTopic(context, topicKey, create);
        if (isNew && ids) await requireAnySubscriber(context, topicKey, ids);
      },
      async openSender(readId, source) {
        if (topicKey === undefined && source)
          return openSubscriptionSender(source, await loadTopics(context, create));
        const readTopic = () => ({ topicKey: topicKey ?? '' });
        return createSubscriptionSender(readTopic, readId, subscription && (() => subscription));
      },
      async explain(error, ids) {
        if (error.exitReason === 'refused') await reportTopic(0);
        return nameMissing(olderServer(error, subscription !== undefined), ids);
      },
      async report(sent) {
        const isSubscribed = ({ outcome }: SentId) => outcome.state === 'subscribed';
        await reportTopic(sent.sent.filter(isSubscribed).length);
        return report(sent, topicKey ?? '', subscription);
      },
      bulk: {
        ...input,
        activeVerb: 'Subscribing',
        pastVerb: 'Subscribed',
        idField: 'subscriberId',
        fields: topicKey === undefined ? subscriptionFields : ['subscriberId'],
      },
    });
    const { subscribed = 0, requests = 0 } = hasList ? readSummary(ended) : {};
    if (requests > 0) await reportTopic(subscribed);
    return ended;
  },
});

function report(
  { ids, sent, values, end }: SentRequests,
  topicKey: string,
  subscription: SubscriptionRow | undefined,
) {
  const value = joined(values as SubscribeResponse[]);
  const failed = sent.filter(({ outcome }) => outcome.state !== 'subscribed');
  const subscribed = ids.length - failed.length;
  const lost = subscribed === 0 ? [] : lostWorkflows(subscription?.shared.preferences, value.data);
  const exitReason =
    subscribed === 0 ? 'refused' : failed.length > 0 || lost.length > 0 ? 'partial' : 'ok';
  return result.report({
    value,
    headline: `Subscribed ${failed.length > 0 ? `${subscribed} of ` : ''}${counted(ids.length, 'subscriber')} to ${topicKey}`,
    lines: [
      ...failed.map(
        ({ id, outcome }) =>
          `  ${id}: ${'reason' in outcome ? outcome.reason : 'the response does not mention it'}`,
      ),
      ...lost.map(lostChoiceLine),
    ],
    ids,
    end: end ?? result.exit(exitReason),
  });
}

/** Names the subscribers that do not exist, if the service lists nothing else. */
function nameMissing(error: SvcError, ids: readonly string[]): SvcError {
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

/** The keys of all topics; undefined if missing ones are created. */
async function loadTopics(context: Context, mayCreate: boolean): Promise<Set<string> | undefined> {
  if (mayCreate) return undefined;
  const keys = new Set<string>();
  for await (const { items } of context.pages('listTopics', {}, { all: true }))
    for (const { key } of items) keys.add(key);
  return keys;
}

const readSummary = (report: result.Result): Partial<Summary> =>
  report.type === 'report' ? (report.value as Partial<Summary>) : {};

// --create: whether the subscription creates the topic.

/** Whether the subscription will create the topic. Throws notFound for a missing topic without `--create`. */
async function isNewTopic(
  context: Context,
  topicKey: string,
  mayCreate: boolean,
): Promise<boolean> {
  if (mayCreate) return !(await topicExists(context, topicKey));
  await readTopic(context, topicKey);
  return false;
}

async function topicExists(context: Context, topicKey: string): Promise<boolean> {
  return (await ifExists(context.call('getTopic', { path: { topicKey } }))) !== undefined;
}

/** Longer lists are not checked, because each check is a request. */
const maxChecks = 10;

/**
 * Throws notFound if none of the subscribers exists. Otherwise the service would create the topic and then reject all
 * of them. Does not check lists longer than `maxChecks`.
 */
async function requireAnySubscriber(
  context: Context,
  topicKey: string,
  subscriberIds: readonly string[],
): Promise<void> {
  if (subscriberIds.length > maxChecks) return;
  const client = await context.client();
  const missing = await listMissing(subscriberIds, (id) =>
    // If the check itself fails, for example without permission, the subscription is still tried.
    subscriberExists(client, id).catch((error: unknown) => {
      if (error instanceof SvcError) return true;
      throw error;
    }),
  );
  if (missing.length < subscriberIds.length) return;
  const [first = ''] = subscriberIds;
  const problem =
    subscriberIds.length === 1
      ? `Subscriber \`${first}\` does not exist`
      : `None of the ${subscriberIds.length} subscribers exists`;
  throw new SvcError('notFound', `${problem}, so topic ${topicKey} was not created.`, {
    hint: 'Create the subscribers first.',
    next: [`svc subscribers create ${shellWord(first)}`],
  });
}

/** Prints that the topic was created. The service also creates it when it rejects all subscribers. */
async function reportCreated(
  context: Context,
  topicKey: string,
  subscribed: number,
): Promise<void> {
  if (subscribed > 0) return context.note(`Created topic ${topicKey}.`);
  if (await topicExists(context, topicKey).catch(() => false))
    context.note(`The service created topic ${topicKey}, which has no subscribers yet.`);
}
