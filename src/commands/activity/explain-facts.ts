// Reads what adds evidence to an explanation. Without a usable response there is only less evidence.

import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import type { FactName, Facts } from '../../deliveries/now.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';

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
      preferences: await readOptional(client, 'getSubscriberPreferences', {
        path,
        query: { criticality: 'all' },
      }),
    }),
    workflow: async () => ({
      workflow: await readOptional(client, 'getWorkflow', {
        path: { workflowId: item._templateId ?? '' },
      }),
    }),
    feed: async () => {
      const page = await readOptional(client, 'listInboxNotifications', {
        path,
        query: { limit: 100 },
      });
      return { feed: page?.data };
    },
    integrations: async () => ({
      integrations: listOrNothing(await readOptional(client, 'listIntegrations', {})),
    }),
    subscriber: async () => ({ subscriber: await readOptional(client, 'getSubscriber', { path }) }),
  };
  const facts = await Promise.all(names.map((name) => reads[name]()));
  return Object.assign({}, ...facts);
}

const listOrNothing = <T>(value: T[] | undefined) => (Array.isArray(value) ? value : undefined);

/** The event whose digest carries an event. Searches the listing, because not every server can return one event. */
export async function readDigestEvent(
  context: Context,
  subscriberId: string,
  { createdAt: before, _templateId, _digestedNotificationId }: ActivityItem,
): Promise<ActivityItem | undefined> {
  const page = await readOptional(await context.client(), 'listActivity', {
    query: {
      subscriberIds: [subscriberId],
      templates: _templateId === undefined ? undefined : [_templateId],
      before,
      limit: 50,
      page: 0,
    },
  });
  return page?.data?.find(({ _id }) => _id === _digestedNotificationId);
}
