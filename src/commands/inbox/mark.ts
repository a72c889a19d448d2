import type { Context } from '../../app/context.ts';
import { type BulkOptions, bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import {
  isList,
  readCell,
  runNamed,
  type SentRequests,
  sendNamed,
} from '../../bulk/command/run-named.ts';
import { createMarkSender, type IdReader } from '../../bulk/operations/id-list.ts';
import { command, type Values } from '../../cli/command.ts';
import { flag, oneOf, rest } from '../../cli/options.ts';
import { collectItems } from '../../core/async.ts';
import { usageError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { counted, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import type { Message } from '../../service/schemas/message.ts';
import { markStates } from '../../service/schemas/vocabulary.ts';
import { subscriberArgument } from '../shared/arguments.ts';
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
      { value: 'id' },
    ),
  },
  options: declaredOptions,
  output: 'The updated notifications; with -o ids, their `_id`. With -, the summary of the run.',
  exitCodes: ['partial'],
  examples: {
    'svc inbox mark u1 read 67748580259aa8ef98259b2b': 'Mark one notification',
    'svc inbox mark u1 read --all --unread --yes': 'Mark all unread notifications',
    'svc inbox list u1 -o ids | svc inbox mark u1 seen -': 'Mark all notifications in a list',
  },
  fields: ({ args }) => (isList(args.messageIds) ? summaryFields : undefined),
  operations: ['markInboxNotifications', 'listInboxNotifications', 'listNotifications'],
  writes: true,
  gracefulShutdown: ({ args }) => isList(args.messageIds),
  async run(context, input) {
    const { subscriberId, state, messageIds } = input.args;
    const { all, ...options } = input.options;
    const [filters, bulk] = splitFilters(options);
    if (isList(messageIds) && (all || Object.keys(filters).length > 0))
      throw usageError('--all and filters cannot be combined with a list of ids.');
    if (all && messageIds.length > 0)
      throw usageError('Notification ids cannot be combined with --all.');
    const openSender = (readId: IdReader) => createMarkSender(subscriberId, state, readId);
    const report = (sent: SentRequests) => markReport(sent, subscriberId, state);
    if (all) {
      const ids = await collectIds(context, subscriberId, filters);
      if (ids.length > 0)
        await context.confirm(`Mark ${ids.length} notifications of ${subscriberId} ${state}`);
      return report(await sendNamed(context, openSender(readCell), ids));
    }
    return runNamed(context, {
      ids: messageIds,
      noun: 'notification',
      next: [
        `svc inbox list ${shellWord(subscriberId)}`,
        `svc inbox mark ${shellWord(subscriberId)} ${state} --all`,
      ],
      openSender,
      report,
      bulk: {
        ...input,
        activeVerb: 'Marking',
        pastVerb: 'Marked',
        options: bulk,
        idField: 'messageId',
      },
    });
  },
});

type Options = Partial<Values<typeof declaredOptions>>;

/** The given filters, and the other options. */
function splitFilters(options: Options) {
  const names = Object.keys({ ...inboxFilters, ...newerInboxFilters, ...sinceFilter });
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  const [filters, bulk] = [true, false].map((isFilter) =>
    Object.fromEntries(entries.filter(([name]) => names.includes(name) === isFilter)),
  );
  return [filters as Options, bulk as BulkOptions] as const;
}

function markReport(
  { ids, sent, values, errors, end }: SentRequests,
  subscriberId: string,
  state: string,
) {
  const marked = values.flatMap(objectsIn);
  const missing = sent.filter(({ outcome }) => outcome.state !== 'marked');
  const isConfirmed = missing.some(({ outcome }) => outcome.state === 'failed');
  const exitReason =
    missing.length === 0 ? 'ok' : missing.length === ids.length ? 'refused' : 'partial';
  const lines = errors.length > 0 ? errors.map(({ message }) => message) : [];
  if (errors.length === 0 && missing.length > 0)
    lines.push(missingLine(missing.length, isConfirmed, subscriberId));
  return result.report({
    value: marked,
    columns: inboxColumns as never,
    ids: marked.flatMap(({ _id }) => (_id === undefined ? [] : [_id])),
    headline: `Marked ${marked.length < ids.length ? `${marked.length} of ` : ''}${counted(ids.length, 'notification')} of ${subscriberId} ${state}`,
    lines,
    end: end ?? result.exit(exitReason),
  });
}

const missingLine = (missing: number, isConfirmed: boolean, subscriberId: string) =>
  isConfirmed
    ? missing === 1
      ? `1 id does not belong to a notification of ${subscriberId}.`
      : `${missing} ids do not belong to notifications of ${subscriberId}.`
    : `The response does not contain ${missing} of the ids.`;

/** Returns the notifications in a response; skips entries of another type. */
const objectsIn = (response: unknown): Message[] =>
  Array.isArray(response) ? response.filter(isObject).map((entry) => entry as Message) : [];

/** Collects all ids before any is marked: marking while listing would shift the pages. */
async function collectIds(
  context: Context,
  subscriberId: string,
  options: Parameters<typeof notificationPages>[2],
) {
  const pages = notificationPages(context, subscriberId, { ...options, all: true });
  return (await collectItems(pages)).map(({ _id }) => _id);
}
