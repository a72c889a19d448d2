// `svc inbox mark`
import type { Message } from '../../api/schemas/message.ts';
import { markStates } from '../../api/schemas/vocabulary.ts';
import type { Context } from '../../app/context.ts';
import { type BulkOptions, bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { isObject } from '../../bulk/operations/responses.ts';
import { command } from '../../cli/command.ts';
import { flag, oneOf, required, rest } from '../../cli/options.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { counted } from '../../output/progress.ts';
import * as result from '../../output/result.ts';
import { multiRequestExit } from '../shared/multi-request-exit.ts';
import { feedFilter, inboxFilters } from './filters.ts';
import { inboxColumns } from './view.ts';

export const mark = command({
  summary: 'Mark in-app notifications read, unread, seen or unseen',
  details:
    'With --all and the filters of `svc inbox list`, every notification that matches is collected first; the command asks with their number before it marks them. Blanks around the ids of a list are removed.',
  arguments: {
    subscriberId: required('<subscriber-id>', 'Your identifier of the subscriber', 'subscribers'),
    state: oneOf('<state>', markStates, 'What they become'),
    messageIds: rest(
      '[message-id|-...]',
      'Ids of the notifications; - for a list on standard input',
    ),
  },
  options: {
    ...inboxFilters,
    all: flag('--all', 'Every notification that the filters match'),
    ...bulkOptions,
  },
  output: 'The notifications as they are now; as ids, their `_id`. With - the summary of the run.',
  exitCodes: ['partial'],
  examples: [
    { line: 'svc inbox mark u1 read 677485807724e409c8a3c9b8', description: 'One notification' },
    { line: 'svc inbox mark u1 read --all --unread --yes', description: 'Everything unread' },
    { line: 'svc inbox list u1 -o ids | svc inbox mark u1 seen -', description: 'All of a list' },
  ],
  fields: ({ args }) => (args.messageIds[0] === '-' ? summaryFields : undefined),
  operations: ['markInboxNotifications', 'listInboxNotifications'],
  writes: true,
  async run(context, { args: { subscriberId, state, messageIds }, options }) {
    if (messageIds.length === 1 && messageIds[0] === '-') {
      return markList(context, { subscriberId, state }, options);
    }
    const ids = options.all
      ? await matching(context, subscriberId, await feedFilter(options))
      : messageIds;
    if (options.all && messageIds.length > 0) throw usageError('Give ids or --all, not both.');
    if (ids.length === 0 && !options.all) {
      throw usageError('No notification is named.', {
        next: [`svc inbox list ${subscriberId}`, `svc inbox mark ${subscriberId} ${state} --all`],
      });
    }
    if (options.all && ids.length > 0) {
      await context.confirm(`Mark ${ids.length} notifications of ${subscriberId} ${state}`);
    }
    const client = await context.client();
    const marked: Message[] = [];
    const { count } = context.batchOf('markInboxNotifications');
    const calls = Array.from({ length: Math.ceil(ids.length / count) }, (_unused, index) => ({
      path: { subscriberId },
      body: { messageId: ids.slice(index * count, (index + 1) * count), markAs: state },
    }));
    const answers = [];
    const errors: SvcError[] = [];
    for await (const answer of client.each('markInboxNotifications', calls)) {
      answers.push(answer);
      if (answer instanceof SvcError) errors.push(answer);
      else marked.push(...objectsIn(answer.value));
    }
    const shown = {
      value: marked,
      columns: inboxColumns as never,
      ids: marked.flatMap(({ _id }) => (_id === undefined ? [] : [_id])),
      headline: `Marked ${marked.length < ids.length ? `${marked.length} of ` : ''}${counted(ids.length, 'notification')} of ${subscriberId} ${state}`,
    };
    if (errors.length > 0) {
      const lines = errors.map(messageOf);
      return result.report({ ...shown, lines, ...multiRequestExit(errors, answers) });
    }
    const { readMarkOutcomes } = await import('../../bulk/operations/inbox-marks.ts');
    const whole = answers.flatMap((answer) => (answer instanceof SvcError ? [] : answer.value));
    const items = [...new Set(ids)].map((id) => ({ id }));
    const outcomes = readMarkOutcomes(whole, items, subscriberId);
    const missing = outcomes.filter(({ state }) => state !== 'marked').length;
    const isProven = outcomes.some(({ state }) => state === 'failed');
    const exitReason = missing === items.length ? 'refused' : 'partial';
    return result.report({
      ...shown,
      lines: [...(missing === 0 ? [] : [missingLine(missing, isProven, subscriberId)])],
      ...(missing > 0 ? { exitReason } : {}),
    });
  },
});

const missingLine = (missing: number, isProven: boolean, subscriberId: string) =>
  isProven
    ? `${missing} of the ids are no notifications of ${subscriberId}.`
    : `The response does not name ${missing} of the ids.`;

/** The notifications of a response; entries of another type name none. */
const objectsIn = (answer: unknown): Message[] =>
  Array.isArray(answer) ? answer.filter(isObject).map((one) => one as Message) : [];

const messageOf = ({ message }: SvcError) => message;

async function markList(
  context: Context,
  { subscriberId, state }: { subscriberId: string; state: string },
  { all, read, unread, seen, unseen, payload, ...options }: BulkOptions & Record<string, unknown>,
) {
  if (all || read || unread || seen || unseen || payload !== undefined) {
    throw usageError('Filters go with --all, not with a list.');
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
    file: '-',
    retry: { words: ['inbox', 'mark', subscriberId, state], fromStdin: true },
    isRepeatable: true,
    idField: 'messageId',
    openPlan: async (source) =>
      createMarkPlan(subscriberId, state, createIdReader(source, 'messageId')),
  });
}

/** All ids first: marking while listing would shift the pages. */
async function matching(
  context: Context,
  subscriberId: string,
  query: Awaited<ReturnType<typeof feedFilter>>,
) {
  const ids: string[] = [];
  const pages = context.pages(
    'listInboxNotifications',
    { path: { subscriberId }, query },
    { all: true },
  );
  for await (const { items } of pages) ids.push(...items.map(({ _id }) => _id));
  return ids;
}
