import { bulkOptions, fileOption, summaryFields } from '../../bulk/command/options.ts';
import { isList, runNamed, type SentRequests } from '../../bulk/command/run-named.ts';
import { command } from '../../cli/command.ts';
import { id } from '../../cli/options.ts';
import { type FieldError, type SvcError, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { SubscribeResponse } from '../../service/schemas/topics.ts';
import { subscribersArgument, topicArgument } from '../shared/arguments.ts';
import { readTopic } from '../shared/missing-resources.ts';
import { joined, olderServer } from './subscription-options.ts';

export const unsubscribe = command({
  summary: 'Remove subscribers from a topic',
  details:
    'All subscriptions of a subscriber in the topic are removed. Since server 3.12, there can be several, with different identifiers: --identifier removes one of them.',
  arguments: { topicKey: topicArgument, ids: subscribersArgument },
  options: {
    identifier: id('--identifier <id>', 'Remove only this subscription of the subscriber', {
      conflicts: ['file'],
    }),
    file: fileOption('subscribers'),
    ...bulkOptions,
  },
  output:
    'The number of subscribers that were removed, and the ids that failed. As JSON, the response of the service; with - or --file, the summary of the run, in which a subscriber who was not subscribed counts as absent.',
  exitCodes: ['partial'],
  examples: {
    'svc topics unsubscribe announcements u1': 'Remove one subscriber',
    'svc topics unsubscribe announcements u1 --identifier u1-premium':
      'Remove one of the subscriptions of a subscriber',
    'svc topics subscribers announcements --all -o ids | svc topics unsubscribe announcements - --yes':
      'Remove all subscribers',
  },
  fields: ({ args, options }) => (isList(args.ids, options) ? summaryFields : undefined),
  operations: ['unsubscribeFromTopic', 'getTopic', 'listTopics'],
  writes: true,
  gracefulShutdown: ({ args, options }) => isList(args.ids, options),
  run(context, input) {
    const { topicKey, ids } = input.args;
    const { identifier, ...options } = input.options;
    if (identifier !== undefined && (ids.length !== 1 || isList(ids, options)))
      throw usageError('--identifier names one subscription: give one subscriber.');
    return runNamed(context, {
      ids,
      noun: 'subscriber',
      next: [`svc topics subscribers ${shellWord(topicKey)}`],
      async confirm(target, confirmedIds) {
        await readTopic(context, topicKey);
        if (confirmedIds?.length !== 1)
          await context.confirm(`Remove ${target} from topic ${topicKey}`);
      },
      async openSender(readId) {
        const { createUnsubscriptionSender } = await import(
          '../../bulk/operations/subscriptions.ts'
        );
        return createUnsubscriptionSender(topicKey, readId, identifier);
      },
      explain: (error) => olderServer(error, identifier !== undefined),
      report: (sent) => report(sent, topicKey),
      bulk: {
        ...input,
        activeVerb: 'Removing',
        pastVerb: 'Removed',
        options,
        idField: 'subscriberId',
      },
    });
  },
});

function report({ ids, sent, values, errors, end }: SentRequests, topicKey: string) {
  const value = joined(values as SubscribeResponse[]);
  const unknown = sent.filter(({ outcome }) => outcome.state === 'unknown');
  const failures = [
    ...failuresIn(value),
    ...errors.flatMap(reasonsIn),
    ...unknown.map(({ id }) => ({ field: id, message: 'the response does not mention it' })),
  ];
  const removedIds = [
    ...new Set(value.data.flatMap(({ subscriber }) => subscriber?.subscriberId ?? [])),
  ];
  const part = removedIds.length < ids.length ? `${removedIds.length} of ` : '';
  const several =
    value.data.length > removedIds.length ? ` (${counted(value.data.length, 'subscription')})` : '';
  return result.report({
    value,
    headline: `Removed ${part}${counted(ids.length, 'subscriber')}${several} from ${topicKey}`,
    lines: failures.map(({ field, message }) => `  ${field}: ${message}`),
    ids: removedIds,
    end: end?.type === 'error' ? end : toEnd(failures, ids.length),
  });
}

function toEnd(failures: readonly FieldError[], total: number) {
  if (failures.length === 0) return result.exit('ok');
  const message = `${failures.length} of ${counted(total, 'subscriber')} were not removed.`;
  return result.exit('partial', { message, fieldErrors: failures });
}

const failuresIn = ({ errors = [] }: SubscribeResponse): FieldError[] =>
  errors.map(({ subscriberId, message }) => ({ field: subscriberId, message }));

/** The reasons in a rejected request, one for each subscriber if the service names them. */
const reasonsIn = ({ message, details }: SvcError): readonly FieldError[] =>
  details.fieldErrors ?? [{ field: 'request', message }];
