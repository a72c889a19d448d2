// Resources of the service that may not exist: errors for them suggest the existing ones, so that a typo is found.

import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { collectItems, mapConcurrently } from '../../core/async.ts';
import { ifPresent, isMissing, isNotOffered, SvcError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import type { OperationId } from '../../service/operations/index.ts';

/** How the resources of each kind are listed, and which member is the id. */
const listings = {
  topic: ['listTopics', 'key'],
  workflow: ['listWorkflows', 'workflowId'],
  layout: ['listLayouts', 'layoutId'],
} as const satisfies Record<string, readonly [OperationId, string]>;

type Kind = keyof typeof listings;

/** The ids of the newest resources, which are enough to find a typo. */
export async function newestIds(context: Context, kind: Kind): Promise<string[]> {
  const [listing, field] = listings[kind];
  const items = await collectItems<object>(context.pages(listing, {}, { limit: 200 }));
  return items.map((item) => String(Reflect.get(item, field)));
}

/** Runs a call for a resource. If the resource does not exist, the error has candidates for a suggestion. */
export const withSuggestions = <T>(
  context: Context,
  kind: Kind,
  id: string,
  call: () => Promise<T>,
): Promise<T> =>
  call().catch(async (error: unknown) => {
    throw error instanceof SvcError ? await withCandidates(context, kind, id, error) : error;
  });

/** The error of a request for a resource, with candidates for a suggestion if the resource does not exist. */
export async function withCandidates(
  context: Context,
  kind: Kind,
  id: string,
  error: SvcError,
): Promise<SvcError> {
  if (!isMissing(error) || error.details.status !== 404) return error;
  return error.with({
    message: `${kind.charAt(0).toUpperCase()}${kind.slice(1)} \`${id}\` does not exist.`,
    suggestion: {
      input: id,
      candidates: await newestIds(context, kind).catch(() => []),
      existing: `${kind}s`,
    },
    next: [`svc ${kind}s list`],
  });
}

export async function readTopic(context: Context, topicKey: string) {
  const { call } = await context.client();
  return withSuggestions(context, 'topic', topicKey, () =>
    call('getTopic', { path: { topicKey } }),
  );
}

/** The number of subscriptions of a topic, as the service counts them: `50000+` for more. Undefined if it does not. */
export async function countSubscriptions(
  { call }: Client,
  topicKey: string,
): Promise<string | undefined> {
  const page: Partial<Record<string, unknown>> | undefined = await call('listTopicSubscriptions', {
    path: { topicKey },
    query: { limit: 1 },
  }).catch((error: unknown) => {
    // The count is an addition to what was asked for.
    if (error instanceof SvcError) return undefined;
    throw error;
  });
  const total = page?.totalCount;
  if (!Number.isSafeInteger(total) || Number(total) < 0) return undefined;
  return `${total}${page?.totalCountCapped === true ? '+' : ''}`;
}

export async function readWorkflow(context: Context, workflowId: string) {
  const { call } = await context.client();
  return withSuggestions(context, 'workflow', workflowId, () =>
    call('getWorkflow', { path: { workflowId } }),
  );
}

// Subscribers that do not exist are found with one request for each id, or with the listing if that takes fewer.

const concurrentRequests = 16;

/** With fewer ids, one request for each is enough. */
const minListed = 20;

/** Returns those of the ids that do not exist, in order and without duplicates. */
export async function listMissing(
  ids: Iterable<string>,
  exists: (id: string) => Promise<boolean>,
): Promise<string[]> {
  const missing: string[] = [];
  const check = async (id: string) => ((await exists(id)) ? undefined : id);
  for await (const id of mapConcurrently(new Set(ids), concurrentRequests, check))
    if (id !== undefined) missing.push(id);
  return missing;
}

/** Reading preferences creates no subscriber, and every server has the request. */
export const subscriberExists = async ({ call }: Client, subscriberId: string): Promise<boolean> =>
  (await ifPresent(call('getSubscriberPreferences', { path: { subscriberId } }))) !== undefined;

/**
 * Returns those of the ids that no subscriber has, in order. Ids that a complete listing does not have are missing if
 * the first of them are: a listing that lies must not reject existing people.
 */
export async function findMissingSubscribers(
  context: Context,
  ids: Iterable<string>,
): Promise<string[]> {
  const client = await context.client();
  const unknown = new Set(ids);
  const isListed = await findInListing(context, unknown);
  const findMissing = (some: readonly string[]) =>
    listMissing(some, (id) => subscriberExists(client, id));
  const all = [...unknown];
  const first = all.slice(0, isListed ? minListed : all.length);
  const missing = await findMissing(first);
  if (isListed && missing.length === first.length) return all;
  return [...missing, ...(await findMissing(all.slice(first.length)))];
}

/**
 * Removes the ids that the listing has, as long as a page of it may save more requests than it takes. Returns whether
 * the listing was read to its end.
 */
async function findInListing(context: Context, ids: Set<string>): Promise<boolean> {
  if (ids.size < minListed) return false;
  let pages = 0;
  const { showReading } = await import('../../output/progress-line.ts');
  const progress = showReading(context);
  try {
    for await (const { items, info } of context.pages('listSubscribers', {}, { all: true })) {
      if (pages === 0) noteRequests(context, ids.size, items.length, info.totalCount);
      for (const { subscriberId } of items) ids.delete(subscriberId);
      pages += 1;
      progress.add(items.length);
      if (pages >= ids.size) return false;
    }
    return true;
  } catch (error) {
    if (!isNotOffered(error)) throw error;
    return false;
  } finally {
    progress.stop();
  }
}

function noteRequests(context: Context, ids: number, pageSize: number, total = 0): void {
  const requests = Math.min(ids, Math.ceil(total / Math.max(1, pageSize)));
  if (requests > 1)
    context.note(
      `Checking whether ${counted(ids, 'subscriber')} exist: about ${counted(requests, 'request')}.`,
    );
}
