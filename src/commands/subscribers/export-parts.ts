// The files beside an export of subscribers: their preferences, credentials and topics.
import type { Client } from '../../api/client.ts';
import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Context } from '../../app/context.ts';
import { credentialFields } from '../../bulk/operations/credentials.ts';
import { SvcError } from '../../core/errors.ts';
import { isMissing } from '../../core/if-found.ts';
import { type Column, fieldColumns } from '../../output/result.ts';
import type { ChannelSettings, Subscriber } from '../../service/schemas/subscribers.ts';
import { isNotOffered } from '../shared/remote-workflows.ts';
import { firstCursor, oldestFirst } from './pages.ts';

export interface CredentialRow {
  subscriberId: string;
  provider: string;
  /** Only if the provider has several integrations, because another environment may name its own differently. */
  integration?: string;
  deviceTokens?: readonly string[];
  webhookUrl?: string;
  channel?: string;
}

/** The columns of `svc subscribers credentials import`. */
export const credentialColumns: readonly Column<CredentialRow>[] = fieldColumns(credentialFields);

/** Returns a function that reads the credentials of subscribers from their listing. */
export async function createCredentialReader(context: Context) {
  const findIdentifier = await readIdentifiers(context);
  return (subscribers: readonly Subscriber[]): CredentialRow[] =>
    subscribers.flatMap(({ subscriberId, channels = [] }) =>
      channels.flatMap((settings) => {
        const { deviceTokens = [], webhookUrl, channel } = settings.credentials ?? {};
        if (deviceTokens.length === 0 && !webhookUrl && !channel) return [];
        const integration = findIdentifier(settings);
        return {
          ...{ subscriberId, provider: settings.providerId },
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

export interface TopicRow {
  subscriberId: string;
  topicKey: string;
}

/** The columns that `svc topics subscribe --file` reads without a topic. */
export const topicColumns: readonly Column<TopicRow>[] = fieldColumns(['subscriberId', 'topicKey']);

/** Where the subscriptions continue. */
export interface TopicsPosition {
  /** Before the page of topics. */
  topics: Cursor;
  /** The topics of the page that are finished. */
  finished: readonly string[];
  /** The subscribers of the next topic, if some are read. */
  subscribers?: Cursor;
}

export const firstTopics: TopicsPosition = { topics: firstCursor, finished: [] };

/** All subscriptions, topic by topic, because this takes fewer requests than subscriber by subscriber. */
export async function* subscriptionRows(
  context: Context,
  start: TopicsPosition,
): AsyncGenerator<{ rows: TopicRow[]; position: TopicsPosition }, void, void> {
  let position = start;
  for await (const { items, cursor } of oldestFirst(context, 'listTopics', {}, start.topics)) {
    for (const { key } of items) {
      if (position.finished.includes(key)) continue;
      const from = position.subscribers ?? firstCursor;
      for await (const page of subscriptionPages(context, key, from)) {
        position = { ...position, subscribers: page.cursor };
        const rows = page.items.map(({ subscriber }) => ({
          ...{ subscriberId: subscriber.subscriberId, topicKey: key },
        }));
        yield { rows, position };
      }
      position = { topics: position.topics, finished: [...position.finished, key] };
    }
    position = { topics: cursor, finished: [] };
    yield { rows: [], position };
  }
}

async function* subscriptionPages(context: Context, topicKey: string, from: Cursor) {
  try {
    yield* oldestFirst(context, 'listTopicSubscriptions', { path: { topicKey } }, from);
  } catch (error) {
    // The topic was deleted in the meantime.
    if (!isMissing(error)) throw error;
  }
}
