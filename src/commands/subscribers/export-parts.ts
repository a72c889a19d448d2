// The files beside an export of subscribers: their preferences, credentials and topics.
import type { Client } from '../../api/client.ts';
import type { Cursor } from '../../api/pages-by-cursor.ts';
import type { Context } from '../../app/context.ts';
import { credentialFields } from '../../bulk/operations/credentials.ts';
import { subscriptionFields } from '../../bulk/operations/subscriptions.ts';
import { mapConcurrently } from '../../core/async.ts';
import { ifFound, isMissing, isNotOffered, SvcError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import { type Column, fieldColumns } from '../../output/result.ts';
import type { ChannelSettings, Subscriber } from '../../service/schemas/subscribers.ts';
import type {
  ListedSubscription,
  SubscriptionChoice,
  SubscriptionDetails,
} from '../../service/schemas/topics.ts';
import { hasDefaultIdentifier } from '../shared/subscription-columns.ts';
import { concurrentRequests, firstCursor, oldestFirst } from './pages.ts';

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

export interface TopicRow {
  subscriberId: string;
  topicKey: string;
  /** Absent if the service makes it. */
  identifier?: string;
  name?: string;
  contextKeys?: readonly string[];
  preferences?: readonly SubscriptionChoice[];
}

/** The columns that `svc topics subscribe --file` reads without a topic. */
export const topicColumns: readonly Column<TopicRow>[] = fieldColumns(subscriptionFields);

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
  const preferences = (details?.preferences ?? []).flatMap(toChoice);
  return {
    subscriberId,
    topicKey,
    ...(hasDefaultIdentifier(item, topicKey) ? {} : { identifier }),
    ...(details?.name ? { name: details.name } : {}),
    ...(contextKeys.length > 0 ? { contextKeys } : {}),
    ...(preferences.length > 0 ? { preferences } : {}),
  };
}

type StoredChoice = NonNullable<NonNullable<SubscriptionDetails>['preferences']>[number];

/** Names the workflow by its identifier, which is the same in other environments. */
function toChoice({ workflow, enabled, condition }: StoredChoice): SubscriptionChoice[] {
  if (!workflow?.identifier) return [];
  return [
    {
      workflowId: workflow.identifier,
      ...(enabled === undefined ? {} : { enabled }),
      ...(isObject(condition) ? { condition } : {}),
    },
  ];
}

async function* subscriptionPages(context: Context, topicKey: string, from: Cursor) {
  try {
    yield* oldestFirst(context, 'listTopicSubscriptions', { path: { topicKey } }, from);
  } catch (error) {
    // The topic was deleted in the meantime.
    if (!isMissing(error)) throw error;
  }
}
