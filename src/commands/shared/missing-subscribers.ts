// Finds the subscribers that do not exist: with one request for each id, or with the listing if that takes fewer.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { mapConcurrently } from '../../core/async.ts';
import { ifExists, isNotOffered } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';

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
  (await ifExists(call('getSubscriberPreferences', { path: { subscriberId } }))) !== undefined;

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
