// The commands that change single notifications on servers since 3.15: `svc inbox archive`, `unarchive`, `snooze`,
// `unsnooze`, `delete` and `action`.
import type { Context } from '../../app/context.ts';
import { reportDeletions, runNamed } from '../../bulk/command/run-named.ts';
import { type IdReader, requestPerId } from '../../bulk/operations/id-list.ts';
import { command } from '../../cli/command.ts';
import { flag, oneOf, rest, text } from '../../cli/options.ts';
import { type SvcError, usageError } from '../../core/errors.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { OperationId } from '../../service/operations/index.ts';
import type { Notification } from '../../service/schemas/notifications.ts';
import { buttonTypes } from '../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { inboxColumns, notificationFields, olderServer, toFeedItem } from './notifications.ts';

const messageIds = rest(
  '<message-id|-...>',
  'Ids of the notifications; - reads them from standard input, one per line',
  { value: 'id' },
);
const changedOutput = 'The changed notifications; with -o ids, their `_id`.';
const versions = 'Needs a server since version 3.15.';

interface Change {
  operation: OperationId;
  subscriberId: string;
  ids: readonly string[];
  /** `Archived`, for the line about the outcome. */
  pastVerb: string;
  body?: object;
  path?: Record<string, string>;
}

/** Sends one request for each notification. A failed one does not stop the others. */
const changeEach = (context: Context, change: Change) =>
  runNamed(context, {
    ...requestsFor(change),
    report({ ids, values, errors, end }) {
      const items = values.map((value) => toFeedItem(value as Notification));
      const part = values.length < ids.length ? `${values.length} of ` : '';
      return result.report({
        value: items,
        columns: inboxColumns as never,
        ids: items.map(({ _id }) => _id),
        headline: `${change.pastVerb} ${part}${counted(ids.length, 'notification')} of ${change.subscriberId}`,
        lines: errors.map(({ message }) => message),
        ...(end ? { end } : {}),
      });
    },
  });

const requestsFor = ({ operation, subscriberId, ids, path, body }: Omit<Change, 'pastVerb'>) => ({
  ids,
  noun: 'notification',
  next: [`svc inbox list ${shellWord(subscriberId)}`],
  openSender: (readId: IdReader) =>
    requestPerId(operation, readId, {
      field: 'notificationId',
      path: { subscriberId, ...path },
      ...(body ? { body } : {}),
    }),
  explain: (error: SvcError) => (error.details.notOffered ? olderServer(error) : error),
});

interface Words {
  operation: OperationId;
  summary: string;
  verb: 'archive' | 'unarchive' | 'unsnooze';
  pastVerb: string;
}

const stateCommand = ({ operation, summary, verb, pastVerb }: Words) =>
  command({
    summary,
    details: versions,
    arguments: { subscriberId: subscriberArgument, messageIds },
    output: changedOutput,
    exitCodes: ['partial'],
    examples: {
      [`svc inbox ${verb} u1 67748580259aa8ef98259b2b`]: 'Change one notification of u1',
      [`svc inbox ${verb} u1 67748580259aa8ef98259b2b 67748580124bf76a1015806c --dry-run`]:
        'Show the requests for two without sending them',
    },
    fields: notificationFields,
    operations: [operation],
    writes: true,
    run: (context, { args: { subscriberId, messageIds: ids } }) =>
      changeEach(context, { operation, subscriberId, ids, pastVerb }),
  });

export const archive = stateCommand({
  operation: 'archiveNotification',
  summary: 'Archive in-app notifications of a subscriber',
  verb: 'archive',
  pastVerb: 'Archived',
});

export const unarchive = stateCommand({
  operation: 'unarchiveNotification',
  summary: 'Take in-app notifications of a subscriber out of the archive',
  verb: 'unarchive',
  pastVerb: 'Took out of the archive:',
});

export const unsnooze = stateCommand({
  operation: 'unsnoozeNotification',
  summary: 'Show snoozed in-app notifications of a subscriber again',
  verb: 'unsnooze',
  pastVerb: 'Unsnoozed',
});

export const snooze = command({
  summary: 'Hide in-app notifications of a subscriber until a time',
  details: `${versions} The service hides a notification for at least a minute.`,
  arguments: { subscriberId: subscriberArgument, messageIds },
  options: {
    until: text('--until <2h|ISO>', 'When they appear again: a time, or a duration from now on'),
  },
  output: changedOutput,
  exitCodes: ['partial'],
  examples: {
    'svc inbox snooze u1 67748580259aa8ef98259b2b --until 2h':
      'Hide one notification for two hours',
    'svc inbox snooze u1 67748580259aa8ef98259b2b --until 2027-01-15T08:00:00Z':
      'Hide it until a time',
  },
  fields: notificationFields,
  operations: ['snoozeNotification'],
  writes: true,
  async run(context, { args: { subscriberId, messageIds: ids }, options: { until } }) {
    if (until === undefined)
      throw usageError('--until is required.', {
        next: [`svc inbox snooze ${shellWord(subscriberId)} <message-id> --until 2h`],
      });
    const { futureTime } = await import('../../input/values.ts');
    const snoozeUntil = futureTime(until, context.host.clock.now(), '--until');
    const change = { subscriberId, ids, body: { snoozeUntil }, pastVerb: 'Snoozed' };
    return changeEach(context, { operation: 'snoozeNotification', ...change });
  },
});

export const deleteNotifications = command({
  summary: 'Delete in-app notifications of a subscriber',
  details: versions,
  arguments: { subscriberId: subscriberArgument, messageIds },
  output: '[{_id, deleted, error}]; with -o ids, the ids that were deleted.',
  exitCodes: ['partial'],
  examples: {
    'svc inbox delete u1 67748580259aa8ef98259b2b --yes':
      'Delete one notification without confirmation',
    'svc inbox delete u1 67748580259aa8ef98259b2b --dry-run': 'Show the request without sending it',
  },
  fields: ['_id', 'deleted', 'error'],
  operations: ['deleteNotification'],
  writes: true,
  run: (context, { args: { subscriberId, messageIds: ids } }) =>
    runNamed(context, {
      ...requestsFor({ operation: 'deleteNotification', subscriberId, ids }),
      confirm: (target) =>
        context.confirm(`Delete ${target} of ${subscriberId}`, 'This cannot be undone.'),
      report: reportDeletions('_id', 'notification'),
    }),
});

export const action = command({
  summary: 'Complete a button of in-app notifications, as a click does',
  details: versions,
  arguments: {
    subscriberId: subscriberArgument,
    button: oneOf('<button>', buttonTypes, 'The button'),
    messageIds,
  },
  options: { revert: flag('--revert', 'Make the button pending again') },
  output: changedOutput,
  exitCodes: ['partial'],
  examples: {
    'svc inbox action u1 primary 67748580259aa8ef98259b2b':
      'Complete the primary button of one notification',
    'svc inbox action u1 primary 67748580259aa8ef98259b2b --revert': 'Make it pending again',
  },
  fields: notificationFields,
  operations: ['completeNotificationAction', 'revertNotificationAction'],
  writes: true,
  run: (context, { args: { subscriberId, button, messageIds: ids }, options: { revert } }) =>
    changeEach(context, {
      operation: revert ? 'revertNotificationAction' : 'completeNotificationAction',
      subscriberId,
      ids,
      path: { type: button },
      pastVerb: revert ? 'Reverted the button of' : 'Completed the button of',
    }),
});
