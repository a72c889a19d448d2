import type { Context } from '../../app/context.ts';
import type { ChannelListing } from '../../bulk/operations/person-channels.ts';
import { command } from '../../cli/command.ts';
import { forceOption, text } from '../../cli/options.ts';
import { collectItems } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { counted } from '../../core/text.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import type { Subscriber } from '../../service/schemas/subscribers.ts';
import type { ListedSubscription } from '../../service/schemas/topics.ts';
import { subscriberArgument } from '../shared/arguments.ts';

const parts = [
  'subscriber',
  'preferences',
  'topics',
  'credentials',
  'connections',
  'endpoints',
  'messages',
  'inbox',
  'activity',
] as const;
type Part = (typeof parts)[number];
type ListedPart = Exclude<Part, 'subscriber' | 'preferences'>;

type PersonReport = Record<Part, unknown> & { unreadable: { part: Part; reason: string }[] };

export const reportPerson = command({
  summary: 'Show everything that the service holds about one person',
  details:
    'Reads the subscriber, preferences, topics, credentials, channel connections and endpoints, messages, inbox and the activity within the retention time of the service, and prints them as one JSON object. On a terminal, svc prints only how many records there are. --file writes the object to a file that only you can read. Secrets are masked unless you add --reveal. `unreadable` names the parts that the server does not offer or that the API key may not read; these are null.',
  arguments: { subscriberId: subscriberArgument },
  options: {
    file: text('--file <report.json>', 'Write the report to this file', {
      complete: 'files',
      tool: false,
    }),
    ...forceOption,
  },
  output:
    'As JSON, {subscriber, preferences, topics, credentials, connections, endpoints, messages, inbox, activity, unreadable}; with --file, {subscriberId, file, unreadable}.',
  fields: ({ options }) =>
    options.file === undefined ? [...parts, 'unreadable'] : ['subscriberId', 'file', 'unreadable'],
  exitCodes: ['notFound'],
  examples: {
    'svc subscribers report u1': 'Show how much there is',
    'svc subscribers report u1 --file u1.json':
      'Write everything to a file, to hand it to the person',
  },
  operations: [
    'getSubscriber',
    'getSubscriberPreferences',
    'listSubscriberTopics',
    'listChannelConnections',
    'listChannelEndpoints',
    'listMessages',
    'listInboxNotifications',
    'listActivity',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options: { file, force = false } }) {
    const { chooseOutputFile, writeOutputFile } = await import(
      '../../platform/files/output-file.ts'
    );
    const output =
      file === undefined ? undefined : chooseOutputFile(context.host, file, { isOwn, force });
    if (output?.replaces && !force)
      await context.confirm(`Replace ${file}`, undefined, 'on this machine');
    const report = await readReport(context, subscriberId);
    const { unreadable } = report;
    for (const { part, reason } of unreadable) context.warn(`${part} cannot be read: ${reason}`);
    if (!output) return result.one({ value: report, fields: columns, id: () => subscriberId });
    const { masked } = await import('../../output/mask.ts');
    const safe = context.globals.reveal ? report : masked(report);
    writeOutputFile(output, `${stringifyExact(safe, 2)}\n`);
    return result.report({
      value: { subscriberId, file, unreadable },
      lines: [
        `Wrote the report about ${subscriberId} to ${file}: ${listedParts(report).join(', ')}.`,
      ],
      ids: [output.shownAs],
    });
  },
});

const isOwn = (start: string) => /^\{\s*"subscriber":/.test(start);

async function readReport(context: Context, subscriberId: string): Promise<PersonReport> {
  const { requireOwn } = await import('../../bulk/operations/erasure.ts');
  const { lacksChannels, listOwn } = await import('../../bulk/operations/person-channels.ts');
  const client = await context.client();
  const path = { subscriberId };
  const all = { all: true };
  const unreadable: PersonReport['unreadable'] = [];
  let firstError: unknown;
  const read = async <T>(part: Part, response: () => Promise<T>): Promise<T | null> => {
    try {
      return await response();
    } catch (error) {
      const reason = unreadableReason(error);
      if (reason === undefined) throw error;
      unreadable.push({ part, reason });
      firstError ??= error;
      return null;
    }
  };
  const list = <T extends object>(
    part: ListedPart,
    pages: AsyncIterable<{ items: readonly T[] }>,
  ) =>
    read(part, async () => {
      const items = await collectItems(pages);
      // Topics have the subscriber in their path only.
      if (part !== 'topics' && subscriber) requireOwn(items, subscriber._id, nouns[part]);
      return items;
    });
  /** An older server has none. */
  const listChannels = (part: 'connections' | 'endpoints', operation: ChannelListing) =>
    read(part, () =>
      listOwn(client.call, operation, subscriberId).catch((error: unknown) => {
        if (!lacksChannels(error)) throw error;
        return [];
      }),
    );
  const subscriber = await read('subscriber', () => client.call('getSubscriber', { path }));
  const preferences = await read('preferences', () =>
    client.call('getSubscriberPreferences', { path, query: { criticality: 'all' } }),
  );
  if (!subscriber) unreadable.push({ part: 'credentials', reason: 'they are in the subscriber' });
  const report = {
    subscriber,
    preferences,
    topics: await list('topics', context.pages('listSubscriberTopics', { path }, all)),
    credentials: subscriber && (subscriber.channels ?? []),
    connections: await listChannels('connections', 'listChannelConnections'),
    endpoints: await listChannels('endpoints', 'listChannelEndpoints'),
    messages: await list(
      'messages',
      context.pages('listMessages', { query: { subscriberId } }, all),
    ),
    inbox: await list('inbox', context.pages('listInboxNotifications', { path }, all)),
    activity: await list(
      'activity',
      context.pages('listActivity', { query: { subscriberIds: [subscriberId] } }, all),
    ),
    unreadable,
  };
  // A key that may read nothing is an error, not an empty report.
  if (unreadable.length === parts.length) throw firstError;
  return report;
}

/** Undefined for an error that is not about one part. */
function unreadableReason(error: unknown): string | undefined {
  if (!(error instanceof SvcError)) return undefined;
  const { status, notOffered } = error.details;
  if (notOffered) return 'this server does not offer it';
  return status === 402 || status === 403 ? error.message : undefined;
}

/** `3 messages`; the subscriber and the preferences are one each. */
const listedParts = (report: PersonReport) =>
  parts.flatMap((part) => {
    const value = report[part];
    if (!Array.isArray(value)) return value ? [part] : [];
    return [`${part} (${countItems(part, value)})`];
  });

/** A topic with several subscriptions of the person counts once. */
const countItems = (part: Part, items: readonly unknown[]): number =>
  part === 'topics'
    ? new Set((items as ListedSubscription[]).map(({ topic }) => topic.key)).size
    : items.length;

const columns: readonly Column<PersonReport>[] = parts.map((part) => ({
  field: part,
  header: part.toUpperCase(),
  value: (report: PersonReport) => summarize(part, report[part]),
}));

function summarize(part: Part, value: unknown): string {
  if (!value) return 'cannot be read';
  if (part === 'preferences') return 'readable';
  if (part === 'subscriber') {
    const { subscriberId, firstName, lastName, email, phone } = value as Subscriber;
    return [subscriberId, firstName, lastName, email, phone].filter(Boolean).join(', ');
  }
  const count = countItems(part, value as unknown[]);
  return count === 0 ? 'none' : counted(count, nouns[part]);
}

const nouns: Record<ListedPart, string> = {
  topics: 'topic',
  credentials: 'provider',
  connections: 'connection',
  endpoints: 'endpoint',
  messages: 'message',
  inbox: 'notification',
  activity: 'event',
};
