// Writes the files of `svc subscribers export`.
import path from 'node:path';
import type { Client } from '../../api/client.ts';
import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Context } from '../../app/context.ts';
import type { ExportPosition } from '../../bulk/journal/export-file.ts';
import { type ChannelRow, channelFields, toChannelRow } from '../../bulk/operations/channels.ts';
import { credentialFields } from '../../bulk/operations/credentials.ts';
import { lacksChannels } from '../../bulk/operations/person-channels.ts';
import { subscriptionFields } from '../../bulk/operations/subscriptions.ts';
import { mapConcurrently } from '../../core/async.ts';
import { ifFound, isMissing, isNotOffered, SvcError, usageError } from '../../core/errors.ts';
import { counted, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { type Column, fieldColumns } from '../../output/result.ts';
import type { ChannelSettings, Subscriber } from '../../service/schemas/subscribers.ts';
import type { ListedSubscription, SubscriptionChoice } from '../../service/schemas/topics.ts';
import { type ExportFormat, exportToFile, pageFormatter } from '../shared/resumable-export.ts';
import { choicesOf, hasDefaultIdentifier } from '../shared/subscription-columns.ts';
import { createPreferenceReader, preferenceColumns } from './preferences/rows.ts';
import {
  concurrentRequests,
  firstCursor,
  oldestFirst,
  subscriberColumns,
  subscriberId,
  subscriberPages,
} from './view.ts';

export type Part = 'preferences' | 'topics' | 'credentials' | 'channels';

/** They have secrets. */
const secretParts: readonly Part[] = ['credentials', 'channels'];

interface Position extends ExportPosition {
  subscribers: Cursor;
  /** Set once all subscribers are read. */
  topics?: TopicsPosition;
  /** Set once all topics are read. */
  channels?: ChannelsPosition;
}

export async function runExport(
  context: Context,
  file: string,
  chosen: readonly Part[],
  { resume = false, force = false }: { resume?: boolean; force?: boolean },
) {
  const { reveal } = context.globals;
  const secret = reveal ? undefined : secretParts.find((part) => chosen.includes(part));
  if (secret !== undefined)
    throw usageError(`--with ${secret} writes secrets to a file, so it needs --reveal.`);
  if (file === '-') return printAll(context, chosen, resume);
  const files = chosen.map((part) => besideName(file, part));
  const { format, position } = await exportToFile<Position>(context, {
    command: 'subscribers export',
    file,
    resume,
    force,
    fields: subscriberColumns.map(({ field }) => field),
    members: ['_id', 'subscriberId'],
    beside: chosen.map((part, index) => ({
      file: files[index] ?? '',
      fields: partColumns[part].map(({ field }) => field),
    })),
    options: chosen.length > 0 ? { with: chosen.join(',') } : {},
    start: { items: 0, subscribers: firstCursor },
    open: (format) => openSource(context, format, chosen),
  });
  const { items } = position;
  return result.report({
    value: { file, format, items, ...(files.length > 0 ? { files } : {}) },
    lines: [
      `Exported ${counted(items, 'subscriber')} to ${file}.`,
      ...(files.length > 0 ? [`Beside it: ${listText(files)}.`] : []),
    ],
    ids: [file, ...files],
  });
}

/** `people.topics.csv` for `people.ndjson`. */
function besideName(file: string, part: Part): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.${part}.csv`);
}

function printAll(context: Context, chosen: readonly Part[], resume: boolean) {
  if (resume)
    throw usageError('--resume needs a file: an export to standard output cannot continue.');
  if (chosen.length > 0)
    throw usageError('--with needs a file, because it writes more files beside it.');
  return result.list({
    pages: subscriberPages(context, firstCursor),
    columns: subscriberColumns,
    id: subscriberId,
    empty: 'No subscribers.',
    defaultFormat: 'ndjson',
  });
}

async function openSource(context: Context, format: ExportFormat, chosen: readonly Part[]) {
  const people = await pageFormatter(context, format, subscriberColumns);
  const writers = await openParts(context, chosen);
  return {
    query: {},
    headers: [people.header, ...writers.map(({ header }) => header)],
    async *chunks(start: Position) {
      let position = start;
      const only = (part: Part, text: string) => [
        '',
        ...chosen.map((other) => (other === part ? text : '')),
      ];
      if (!start.topics && !start.channels) {
        for await (const { items, cursor } of subscriberPages(context, start.subscribers)) {
          position = { items: position.items + items.length, subscribers: cursor };
          const beside = await Promise.all(writers.map(({ textOf }) => textOf?.(items) ?? ''));
          yield { texts: [await people.page(items), ...beside], position };
        }
      }
      if (chosen.includes('topics') && !start.channels) {
        const text = await pageFormatter(context, 'csv', topicColumns);
        for await (const { rows, position: topics } of subscriptionRows(
          context,
          start.topics ?? firstTopics,
        )) {
          position = { ...position, topics };
          yield { texts: only('topics', await text.page(rows)), position };
        }
      }
      if (!chosen.includes('channels')) return;
      const text = await pageFormatter(context, 'csv', channelColumns);
      for await (const { rows, position: channels } of channelRows(
        context,
        start.channels ?? firstChannels,
      )) {
        position = { ...position, channels };
        yield { texts: only('channels', await text.page(rows)), position };
      }
    },
  };
}

interface PartWriter {
  header: string;
  /** Absent for topics and channels, which are read afterwards. */
  textOf?: (subscribers: readonly Subscriber[]) => Promise<string>;
}

/** In the order of the files. */
async function openParts(context: Context, chosen: readonly Part[]): Promise<PartWriter[]> {
  const open: Record<Part, () => Promise<PartWriter>> = {
    async preferences() {
      const { header, page } = await pageFormatter(context, 'csv', preferenceColumns);
      const readRows = await createPreferenceReader(await context.client());
      return { header, textOf: async (subscribers) => page(await readRows(subscribers)) };
    },
    topics: () => pageFormatter(context, 'csv', topicColumns),
    channels: () => pageFormatter(context, 'csv', channelColumns),
    async credentials() {
      const { header, page } = await pageFormatter(context, 'csv', credentialColumns);
      const readRows = await createCredentialReader(context);
      return { header, textOf: (subscribers) => page(readRows(subscribers)) };
    },
  };
  return Promise.all(chosen.map((part) => open[part]()));
}

// The files beside an export of subscribers: their preferences, credentials and topics.

interface CredentialRow {
  subscriberId: string;
  provider: string;
  /** Only if the provider has several integrations, because another environment may name its own differently. */
  integration?: string;
  deviceTokens?: readonly string[];
  webhookUrl?: string;
  channel?: string;
}

/** The columns of `svc subscribers credentials import`. */
const credentialColumns: readonly Column<CredentialRow>[] = fieldColumns(credentialFields);

/** Returns a function that reads the credentials of subscribers from their listing. */
async function createCredentialReader(context: Context) {
  const findIdentifier = await readIdentifiers(context);
  return (subscribers: readonly Subscriber[]): CredentialRow[] =>
    subscribers.flatMap(({ subscriberId, channels = [] }) =>
      channels.flatMap((settings) => {
        const { deviceTokens = [], webhookUrl, channel } = settings.credentials ?? {};
        if (deviceTokens.length === 0 && !webhookUrl && !channel) return [];
        const integration = findIdentifier(settings);
        return {
          subscriberId,
          provider: settings.providerId,
          ...(integration === undefined ? {} : { integration }),
          ...(deviceTokens.length > 0 ? { deviceTokens } : {}),
          ...(webhookUrl ? { webhookUrl } : {}),
          ...(channel ? { channel } : {}),
        };
      }),
    );
}

async function readIdentifiers(context: Context) {
  const client = await context.client();
  const integrations = await listIntegrations(client);
  if (!integrations) {
    context.warn('The integrations are not readable, so the credentials name only the providers.');
    return () => undefined;
  }
  const byId = new Map(integrations.map((integration) => [integration._id, integration]));
  return ({ _integrationId = '' }: ChannelSettings): string | undefined => {
    const integration = byId.get(_integrationId);
    const others = integrations.filter(
      ({ providerId, _environmentId }) =>
        providerId === integration?.providerId && _environmentId === integration._environmentId,
    );
    return others.length > 1 ? integration?.identifier : undefined;
  };
}

async function listIntegrations(client: Client) {
  try {
    return await client.call('listIntegrations', {});
  } catch (error) {
    const isForbidden = error instanceof SvcError && error.details.status === 403;
    if (isForbidden || isNotOffered(error)) return undefined;
    throw error;
  }
}

interface TopicRow {
  subscriberId: string;
  topicKey: string;
  /** Absent if the service makes it. */
  identifier?: string;
  name?: string;
  contextKeys?: readonly string[];
  preferences?: readonly SubscriptionChoice[];
}

/** The columns that `svc topics subscribe --file` reads without a topic. */
const topicColumns: readonly Column<TopicRow>[] = fieldColumns(subscriptionFields);

/** Where the subscriptions continue. */
interface TopicsPosition {
  /** Before the page of topics. */
  topics: Cursor;
  /** The topics of the page that are finished. */
  finished: readonly string[];
  /** The subscribers of the next topic, if some are read. */
  subscribers?: Cursor;
}

const firstTopics: TopicsPosition = { topics: firstCursor, finished: [] };

/** All subscriptions, topic by topic, because this takes fewer requests than subscriber by subscriber. */
async function* subscriptionRows(
  context: Context,
  start: TopicsPosition,
): AsyncGenerator<{ rows: TopicRow[]; position: TopicsPosition }, void, void> {
  let position = start;
  const client = await context.client();
  for await (const { items, cursor } of oldestFirst(context, 'listTopics', {}, start.topics)) {
    for (const { key } of items) {
      if (position.finished.includes(key)) continue;
      const from = position.subscribers ?? firstCursor;
      for await (const page of subscriptionPages(context, key, from)) {
        position = { ...position, subscribers: page.cursor };
        const rows: TopicRow[] = [];
        const read = (item: ListedSubscription) => readSubscription(client, key, item);
        for await (const row of mapConcurrently(page.items, concurrentRequests, read))
          rows.push(row);
        yield { rows, position };
      }
      position = { topics: position.topics, finished: [...position.finished, key] };
    }
    position = { topics: cursor, finished: [] };
    yield { rows: [], position };
  }
}

/** A server that has identifiers shows the name and the choices of a subscription only if it is requested alone. */
async function readSubscription(
  client: Client,
  topicKey: string,
  item: ListedSubscription,
): Promise<TopicRow> {
  const { subscriberId } = item.subscriber;
  const { identifier, contextKeys = [] } = item;
  if (identifier === undefined) return { subscriberId, topicKey };
  const path = { topicKey, identifier };
  // Undefined if it was removed in the meantime.
  const details = await ifFound(client.call('getTopicSubscription', { path }));
  const preferences = choicesOf(details?.preferences);
  return {
    subscriberId,
    topicKey,
    ...(hasDefaultIdentifier(item, topicKey) ? {} : { identifier }),
    ...(details?.name ? { name: details.name } : {}),
    ...(contextKeys.length > 0 ? { contextKeys } : {}),
    ...(preferences.length > 0 ? { preferences } : {}),
  };
}

async function* subscriptionPages(context: Context, topicKey: string, from: Cursor) {
  try {
    yield* oldestFirst(context, 'listTopicSubscriptions', { path: { topicKey } }, from);
  } catch (error) {
    // The topic was deleted in the meantime.
    if (!isMissing(error)) throw error;
  }
}

/** The columns of `svc subscribers channels import`. */
const channelColumns: readonly Column<ChannelRow>[] = fieldColumns(channelFields);

/** Where the connections continue; with `endpoints`, all of them are read. */
interface ChannelsPosition {
  connections: Cursor;
  endpoints?: Cursor;
}

const firstChannels: ChannelsPosition = { connections: firstCursor };

/** Connections before the endpoints in them. Shared connections belong to no subscriber. */
async function* channelRows(
  context: Context,
  start: ChannelsPosition,
): AsyncGenerator<{ rows: ChannelRow[]; position: ChannelsPosition }, void, void> {
  let position = start;
  const isOwn = ({ subscriberId }: { subscriberId?: string | null | undefined }) =>
    typeof subscriberId === 'string';
  try {
    if (!start.endpoints)
      for await (const { items, cursor } of oldestFirst(
        context,
        'listChannelConnections',
        {},
        start.connections,
      )) {
        position = { connections: cursor };
        yield { rows: items.filter(isOwn).map(toChannelRow), position };
      }
    for await (const { items, cursor } of oldestFirst(
      context,
      'listChannelEndpoints',
      {},
      start.endpoints ?? firstCursor,
    )) {
      position = { ...position, endpoints: cursor };
      yield { rows: items.filter(isOwn).map(toChannelRow), position };
    }
  } catch (error) {
    if (!lacksChannels(error)) throw error;
    context.warn('This server has no connections and endpoints, so their file is empty.');
  }
}

const partColumns: Record<Part, readonly { field: string }[]> = {
  preferences: preferenceColumns,
  topics: topicColumns,
  credentials: credentialColumns,
  channels: channelColumns,
};
