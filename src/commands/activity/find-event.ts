// Finds the event that `svc activity explain` explains, or the reason why no event matches.

import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import { ifFound } from '../../core/errors.ts';
import { closestMatches } from '../../core/suggestions.ts';
import { explainNoEvent, type NoEvent, type Search } from '../../deliveries/no-event.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Workflow } from '../../service/schemas/workflows.ts';

export interface Question {
  subscriberId: string;
  workflowId?: string | undefined;
  channels?: readonly string[] | undefined;
  transactionId?: string | undefined;
  topicKey?: string | undefined;
  after?: string | undefined;
}

/** Returns the workflow; null if it does not exist. */
export const findWorkflow = async (
  context: Context,
  workflowId: string,
): Promise<Workflow | null> => {
  const client = await context.client();
  return (await ifFound(client.call('getWorkflow', { path: { workflowId } }))) ?? null;
};

/** Returns the newest event that matches. */
export async function findEvent(
  context: Context,
  { subscriberId, channels, transactionId, topicKey, after }: Question,
  workflow: Workflow | undefined,
): Promise<ActivityItem | undefined> {
  return newestEvent(context, {
    subscriberIds: [subscriberId],
    channels,
    templates: workflow && [workflow._id],
    transactionId,
    topicKey,
    after,
  });
}

async function newestEvent(context: Context, query: object): Promise<ActivityItem | undefined> {
  for await (const { items } of context.pages('listActivity', { query }, { limit: 1 }))
    return items[0];
  return undefined;
}

/** Finds out why no event matches: at most five requests. */
export async function searchReasons(
  context: Context,
  question: Question,
  workflow: Workflow | null | undefined,
): Promise<NoEvent> {
  const { subscriberId, workflowId, topicKey, transactionId } = question;
  const search: Search = { ...question, workflow };
  if (workflow === null && workflowId !== undefined)
    return explainNoEvent({ ...search, similar: await similarWorkflows(context, workflowId) });
  const [isSubscriberKnown, others] = await Promise.all([
    subscriberExists(context, subscriberId),
    readOtherRecipients(context, { transactionId, topicKey }),
  ]);
  const topicFacts = topicKey === undefined ? {} : await readTopic(context, subscriberId, topicKey);
  const facts = { ...search, isSubscriberKnown, ...others, ...topicFacts };
  const found = explainNoEvent(facts);
  if (found.cause !== 'no_event' || workflowId !== undefined || transactionId !== undefined)
    return found;
  return explainNoEvent({ ...facts, inactiveWorkflows: await listInactiveWorkflows(context) });
}

/** An event of the same transaction or, without a transaction, to the same topic. */
async function readOtherRecipients(
  context: Context,
  { transactionId, topicKey }: Pick<Question, 'transactionId' | 'topicKey'>,
): Promise<Pick<Search, 'transactionEvent' | 'topicEvent'>> {
  if (transactionId !== undefined)
    return { transactionEvent: await newestEvent(context, { transactionId }) };
  return topicKey === undefined ? {} : { topicEvent: await newestEvent(context, { topicKey }) };
}

async function readTopic(
  context: Context,
  subscriberId: string,
  topicKey: string,
): Promise<Pick<Search, 'isTopicKnown' | 'isSubscribed' | 'similar'>> {
  const client = await context.client();
  const topic = await ifFound(client.call('getTopic', { path: { topicKey } }));
  if (topic === undefined)
    return { isTopicKnown: false, similar: await similarTopics(context, topicKey) };
  const subscriptions = await readOptional(client, 'listTopicSubscriptions', {
    path: { topicKey },
    query: { subscriberId, limit: 1 },
  });
  return {
    isTopicKnown: true,
    isSubscribed: subscriptions?.data?.some(
      ({ subscriber }) => subscriber?.subscriberId === subscriberId,
    ),
  };
}

/** Of the first page, if the server lists workflows. */
async function listInactiveWorkflows(context: Context): Promise<string[]> {
  const query = { limit: 100 };
  const page = await readOptional(await context.client(), 'listWorkflows', { query });
  return (page?.workflows ?? [])
    .filter(({ status }) => status === 'INACTIVE')
    .map(({ workflowId }) => workflowId);
}

async function subscriberExists(context: Context, subscriberId: string): Promise<boolean> {
  const client = await context.client();
  const preferences = await ifFound(
    client.call('getSubscriberPreferences', { path: { subscriberId } }),
  );
  return preferences !== undefined;
}

async function similarTopics(context: Context, topicKey: string): Promise<string[]> {
  for await (const { items } of context.pages('listTopics', {}, { limit: 100 }))
    return closestMatches(
      topicKey,
      items.map(({ key }) => key),
    );
  return [];
}

async function similarWorkflows(context: Context, workflowId: string): Promise<string[]> {
  for await (const { items } of context.pages('listWorkflows', {}, { limit: 100 }))
    return closestMatches(
      workflowId,
      items.map((entry) => entry.workflowId),
    );
  return [];
}
