// `svc topics unsubscribe`

import type { Context } from '../../app/context.ts';
import {
  type BulkOptions,
  bulkOptions,
  fileOption,
  summaryFields,
} from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { id } from '../../cli/options.ts';
import { chunks } from '../../core/async.ts';
import { type FieldError, type SvcError, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { SubscribeResponse } from '../../service/schemas/topics.ts';
import { subscribersArgument, topicArgument } from '../shared/arguments.ts';
import { givenIds, isList, listedSubscribers, listFile } from '../shared/given-ids.ts';
import { idsText, multiRequestExit, readResponses } from '../shared/several-requests.ts';
import { readTopic } from '../shared/with-suggestions.ts';
import { olderServer } from './subscription-options.ts';

const declaredOptions = {
  identifier: id('--identifier <id>', 'Remove only this subscription of the subscriber', {
    conflicts: ['file'],
  }),
  file: fileOption('subscribers'),
  ...bulkOptions,
};

export const unsubscribe = command({
  summary: 'Remove subscribers from a topic',
  details:
    'All subscriptions of a subscriber in the topic are removed. Since server 3.12, there can be several, with different identifiers: --identifier removes one of them.',
  arguments: { topicKey: topicArgument, given: subscribersArgument },
  options: declaredOptions,
  output:
    'The number of subscribers that were removed, and the ids that failed. As JSON, the response of the service; with - or --file, the summary of the run, in which a subscriber who was not subscribed counts as absent.',
  exitCodes: ['partial'],
  examples: [
    { line: 'svc topics unsubscribe announcements u1', description: 'Remove one subscriber' },
    {
      line: 'svc topics unsubscribe announcements u1 --identifier u1-premium',
      description: 'Remove one of the subscriptions of a subscriber',
    },
    {
      line: 'svc topics subscribers announcements --all -o ids | svc topics unsubscribe announcements - --yes',
      description: 'Remove all subscribers',
    },
  ],
  fields: ({ args, options }) => (isList(args.given, options) ? summaryFields : undefined),
  operations: ['unsubscribeFromTopic', 'getTopic', 'listTopics'],
  writes: true,
  gracefulShutdown: ({ args, options }) => isList(args.given, options),
  async run(context, { args: { topicKey, given }, options }) {
    const { identifier } = options;
    if (identifier !== undefined && (given.length !== 1 || isList(given, options)))
      throw usageError('--identifier names one subscription: give one subscriber.');
    if (isList(given, options)) return unsubscribeList(context, topicKey, given, options);
    const next = [`svc topics subscribers ${shellWord(topicKey)}`];
    const ids = await givenIds(context.host, given, 'subscriber', next);
    const client = await context.client();
    await readTopic(context, topicKey);
    if (ids.length > 1)
      await context.confirm(`Remove ${idsText(ids, 'subscriber')} from topic ${topicKey}`);
    const { batchLimits } = await import('../../service/operations/index.ts');
    const { count } = batchLimits('unsubscribeFromTopic');
    const calls = chunks(ids, count).map((subscriberIds) => ({
      path: { topicKey },
      body:
        identifier === undefined ? { subscriberIds } : toSubscriptions(subscriberIds, identifier),
    }));
    const { values, errors } = await readResponses(client.each('unsubscribeFromTopic', calls));
    const failed = errors.map(
      (error) => olderServer(error, { subscriptions: identifier }) as SvcError,
    );
    const value = joined(values);
    const failures = [...failuresIn(value), ...failed.flatMap(reasonsIn)];
    const removedIds = [
      ...new Set(value.data.flatMap(({ subscriber }) => subscriber?.subscriberId ?? [])),
    ];
    const part = removedIds.length < ids.length ? `${removedIds.length} of ` : '';
    const several =
      value.data.length > removedIds.length
        ? ` (${counted(value.data.length, 'subscription')})`
        : '';
    const end = multiRequestExit(failed, [...values, ...failed]);
    return result.report({
      value,
      headline: `Removed ${part}${counted(ids.length, 'subscriber')}${several} from ${topicKey}`,
      lines: failures.map(({ field, message }) => `  ${field}: ${message}`),
      ids: removedIds,
      end: end?.kind === 'error' ? end : toEnd(failures, ids.length),
    });
  },
});

const toSubscriptions = (subscriberIds: readonly string[], identifier: string) => ({
  subscriptions: subscriberIds.map((subscriberId) => ({ identifier, subscriberId })),
});

async function unsubscribeList(
  context: Context,
  topicKey: string,
  given: readonly string[],
  options: BulkOptions & { file?: string },
) {
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const { createUnsubscriptionPlan } = await import('../../bulk/operations/unsubscriptions.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  if (!options.validateOnly) await readTopic(context, topicKey);
  return runBulk(context, {
    command: 'topics unsubscribe',
    activeVerb: 'Removing',
    pastVerb: 'Removed',
    args: { topicKey, given },
    options,
    declaredOptions,
    file: listFile(given, options.file),
    retry: { words: ['topics', 'unsubscribe', topicKey, '--file'] },
    isRepeatable: true,
    idField: 'subscriberId',
    confirm: async (count) => {
      await context.confirm(`Remove ${await listedSubscribers(count)} from topic ${topicKey}`);
    },
    openPlan: async (source) =>
      createUnsubscriptionPlan(topicKey, createIdReader(source, 'subscriberId')),
  });
}

function toEnd(failures: readonly FieldError[], total: number) {
  if (failures.length === 0) return result.exit('ok');
  const message = `${failures.length} of ${counted(total, 'subscriber')} were not removed.`;
  return result.exit('partial', { message, fieldErrors: failures });
}

/** The responses as one. */
function joined(responses: readonly SubscribeResponse[]): SubscribeResponse {
  const [only] = responses;
  if (responses.length === 1 && only) return only;
  const sum = (name: keyof SubscribeResponse['meta']) =>
    responses.reduce((total, { meta }) => total + Number(meta[name]), 0);
  return {
    data: responses.flatMap(({ data }) => data),
    meta: { totalCount: sum('totalCount'), successful: sum('successful'), failed: sum('failed') },
    errors: responses.flatMap(({ errors = [] }) => errors),
  };
}

const failuresIn = ({ errors = [] }: SubscribeResponse): FieldError[] =>
  errors.map(({ subscriberId, message }) => ({ field: subscriberId, message }));

/** The reasons in a rejected request, one for each subscriber if the service names them. */
const reasonsIn = ({ message, details }: SvcError): readonly FieldError[] =>
  details.fieldErrors ?? [{ field: 'request', message }];
