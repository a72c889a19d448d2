// Reads what adds evidence to an explanation. Without a usable response there is only less evidence.
import type { Client } from '../../api/client.ts';
import type { Input, OperationId, ResponseBody } from '../../api/operations/index.ts';
import type { RawRequest } from '../../api/request.ts';
import type { ActivityItem } from '../../api/schemas/activity.ts';
import type { Context } from '../../app/context.ts';
import type { IntegrationView } from '../../explain/integrations.ts';
import type { FactName, Facts, SubscriberView } from '../../explain/now.ts';

/** Reads facts in parallel, one request each. */
export async function readFacts(
  context: Context,
  subscriberId: string,
  item: ActivityItem,
  names: readonly FactName[],
): Promise<Facts> {
  const client = await context.client();
  const path = { subscriberId };
  const reads: Record<FactName, () => Promise<Facts>> = {
    preferences: async () => ({
      preferences: await read(client, 'getSubscriberPreferences', {
        path,
        query: { criticality: 'all' },
      }),
    }),
    workflow: async () => ({
      workflow: await read(client, 'getWorkflow', { path: { workflowId: item._templateId ?? '' } }),
    }),
    feed: async () => {
      const page = await read(client, 'listInboxNotifications', { path, query: { limit: 100 } });
      return { feed: page?.data };
    },
    integrations: async () => ({
      integrations: listOrNothing(
        await readOnce<IntegrationView[]>(client, get('/v1/integrations')),
      ),
    }),
    subscriber: async () => ({
      subscriber: await readOnce<SubscriberView>(
        client,
        get(`/v2/subscribers/${encodeURIComponent(subscriberId)}`),
      ),
    }),
    mainEvent: async () => {
      const page = await read(client, 'listActivity', {
        query: {
          subscriberIds: [subscriberId],
          templates: item._templateId === undefined ? undefined : [item._templateId],
          before: item.createdAt,
          limit: 50,
          page: 0,
        },
      });
      return { mainEvent: page?.data?.find(({ _id }) => _id === item._digestedNotificationId) };
    },
  };
  const found = await Promise.all(names.map((name) => reads[name]()));
  return Object.assign({}, ...found);
}

/** An operation beyond the specification, which not every server has. */
const get = (target: string): RawRequest => ({ method: 'GET', target, isUserPath: true });

const listOrNothing = <T>(value: T[] | undefined) => (Array.isArray(value) ? value : undefined);

const read = async <Id extends OperationId>(client: Client, id: Id, input: Input<Id>) =>
  readOnce<ResponseBody<Id>>(client, await client.prepare(id, input));

/** Sends one attempt. Returns undefined without a usable response. */
export async function readOnce<T>(client: Client, request: RawRequest): Promise<T | undefined> {
  try {
    const { value } = await client.send({ ...request, retrySignal: AbortSignal.abort() });
    return typeof value === 'object' && value !== null ? (value as T) : undefined;
  } catch {
    return undefined;
  }
}
