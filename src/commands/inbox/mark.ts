// `svc inbox mark`

import type { Context } from '../../app/context.ts';
import { type BulkOptions, bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { flag, oneOf, rest } from '../../cli/options.ts';
import { chunks, collectItems } from '../../core/async.ts';
import { type SvcError, usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { Message } from '../../service/schemas/message.ts';
import { markStates } from '../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { multiRequestExit, readResponses } from '../shared/several-requests.ts';
import {
  inboxColumns,
  inboxFilters,
  newerInboxFilters,
  notificationPages,
  sinceFilter,
} from './notifications.ts';

const declaredOptions = {
  ...inboxFilters,
  ...newerInboxFilters,
  ...sinceFilter,
  all: flag('--all', 'Mark every notification that matches the filters'),
  ...bulkOptions,
};

export const mark = command({
  summary: 'Mark in-app notifications read, unread, seen or unseen',
  details:
    'With --all, svc finds all notifications that match the filters, shows how many there are, asks for confirmation and marks them. Whitespace around the ids in a list is removed.',
  arguments: {
    subscriberId: subscriberArgument,
    state: oneOf('<state>', markStates, 'New state of the notifications'),
    messageIds: rest(
      '[message-id|-...]',
      'Ids of the notifications; - reads a list from standard input',
    ),
  },
  options: declaredOptions,
  output: 'The updated notifications; with -o ids, their `_id`. With -, the summary of the run.',
  exitCodes: ['partial'],
  examples: [
    {
      line: 'svc inbox mark u1 read 67748580259aa8ef98259b2b',
      description: 'Mark one notification',
    },
    {
      line: 'svc inbox mark u1 read --all --unread --yes',
      description: 'Mark all unread notifications',
    },
    {
      line: 'svc inbox list u1 -o ids | svc inbox mark u1 seen -',
      description: 'Mark all notifications in a list',
    },
  ],
  fields: ({ args }) => (args.messageIds[0] === '-' ? summaryFields : undefined),
  operations: ['markInboxNotifications', 'listInboxNotifications', 'listNotifications'],
  writes: true,
  gracefulShutdown: ({ args }) => args.messageIds[0] === '-',
  async run(context, { args: { subscriberId, state, messageIds }, options }) {
    if (messageIds.length === 1 && messageIds[0] === '-') {
      return markList(context, { subscriberId, state }, options);
    }
    const ids = options.all ? await collectIds(context, subscriberId, options) : messageIds;
    if (options.all && messageIds.length > 0)
      throw usageError('Notification ids cannot be combined with --all.');
    if (ids.length === 0 && !options.all) {
      throw usageError('No notification is given.', {
        next: [
          `svc inbox list ${shellWord(subscriberId)}`,
          `svc inbox mark ${shellWord(subscriberId)} ${state} --all`,
        ],
      });
    }
    if (options.all && ids.length > 0) {
      await context.confirm(`Mark ${ids.length} notifications of ${subscriberId} ${state}`);
    }
    const client = await context.client();
    const { batchLimits } = await import('../../service/operations/index.ts');
    const { count } = batchLimits('markInboxNotifications');
    const calls = chunks(ids, count).map((messageId) => ({
      path: { subscriberId },
      body: { messageId, markAs: state },
    }));
    const { values, errors } = await readResponses(client.each('markInboxNotifications', calls));
    const marked: Message[] = values.flatMap(objectsIn);
    const report = {
      value: marked,
      columns: inboxColumns as never,
      ids: marked.flatMap(({ _id }) => (_id === undefined ? [] : [_id])),
      headline: `Marked ${marked.length < ids.length ? `${marked.length} of ` : ''}${counted(ids.length, 'notification')} of ${subscriberId} ${state}`,
    };
    if (errors.length > 0) {
      const lines = errors.map(rejectionReason);
      const end = multiRequestExit(errors, [...values, ...errors]);
      return result.report({ ...report, lines, ...(end ? { end } : {}) });
    }
    const { readMarkOutcomes } = await import('../../bulk/operations/inbox-marks.ts');
    const items = [...new Set(ids)].map((id) => ({ id }));
    const outcomes = readMarkOutcomes(values.flat(), items, subscriberId);
    const missing = outcomes.filter(({ state }) => state !== 'marked').length;
    const isConfirmed = outcomes.some(({ state }) => state === 'failed');
    const exitReason = missing === 0 ? 'ok' : missing === items.length ? 'refused' : 'partial';
    return result.report({
      ...report,
      lines: missing === 0 ? [] : [missingLine(missing, isConfirmed, subscriberId)],
      end: result.exit(exitReason),
    });
  },
});

const missingLine = (missing: number, isConfirmed: boolean, subscriberId: string) =>
  isConfirmed
    ? missing === 1
      ? `1 id does not belong to a notification of ${subscriberId}.`
      : `${missing} ids do not belong to notifications of ${subscriberId}.`
    : `The response does not contain ${missing} of the ids.`;

/** Returns the notifications in a response; skips entries of another type. */
const objectsIn = (response: unknown): Message[] =>
  Array.isArray(response) ? response.filter(isObject).map((entry) => entry as Message) : [];

const rejectionReason = ({ message }: SvcError) => message;

async function markList(
  context: Context,
  { subscriberId, state }: { subscriberId: string; state: string },
  { all, ...given }: BulkOptions & Record<string, unknown>,
) {
  const filterNames = Object.keys({ ...inboxFilters, ...newerInboxFilters, ...sinceFilter });
  const isFilter = ([name]: [string, unknown]) => filterNames.includes(name);
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const options: BulkOptions = Object.fromEntries(entries.filter((entry) => !isFilter(entry)));
  if (all || entries.some(isFilter)) {
    throw usageError('--all and filters cannot be combined with a list of ids.');
  }
  const { createIdReader } = await import('../../bulk/operations/id-list.ts');
  const { createMarkPlan } = await import('../../bulk/operations/inbox-marks.ts');
  const { runBulk } = await import('../../bulk/command/run-bulk.ts');
  return runBulk(context, {
    command: 'inbox mark',
    activeVerb: 'Marking',
    pastVerb: 'Marked',
    args: { subscriberId, state, messageIds: ['-'] },
    options,
    declaredOptions,
    file: '-',
    retry: { words: ['inbox', 'mark', subscriberId, state], fromStdin: true },
    isRepeatable: true,
    idField: 'messageId',
    openPlan: async (source) =>
      createMarkPlan(subscriberId, state, createIdReader(source, 'messageId')),
  });
}

/** Collects all ids before any is marked: marking while listing would shift the pages. */
async function collectIds(
  context: Context,
  subscriberId: string,
  options: Parameters<typeof notificationPages>[2],
) {
  const pages = notificationPages(context, subscriberId, { ...options, all: true });
  return (await collectItems(pages)).map(({ _id }) => _id);
}
