// Finds the subscribers that do not exist: with the listing, or with one request for each id if that takes fewer.
import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import { mapConcurrently } from '../../core/async.ts';
import { ifFound, isNotOffered } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { showReading } from '../../output/progress-line.ts';

const concurrentRequests = 16;

/** With fewer ids, one request for each is enough. */
const minListed = 20;

/**
 * Returns those of the ids that no subscriber has, in order. Ids that a complete listing does not have are missing if
 * the first of them are: a listing that lies must not reject existing people.
 */
export async function findMissingSubscribers(
  context: Context,
  ids: Iterable<string>,
): Promise<string[]> {
  const exists = createExistenceCheck(await context.client());
  const unknown = new Set(ids);
  const isListed = await findInListing(context, unknown);
  const findMissing = async (some: readonly string[]) => {
    const missing: string[] = [];
    const check = async (id: string) => ((await exists(id)) ? undefined : id);
    for await (const id of mapConcurrently(some, concurrentRequests, check))
      if (id !== undefined) missing.push(id);
    return missing;
  };
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

/** On a server that does not return subscribers, their preferences show whether they exist. */
function createExistenceCheck(client: Client) {
  let isOffered = true;
  return async (subscriberId: string): Promise<boolean> => {
    const path = { subscriberId };
    const readPreferences = () => client.call('getSubscriberPreferences', { path });
    const read = async (): Promise<unknown> => {
      if (!isOffered) return readPreferences();
      return client.call('getSubscriber', { path }).catch((error: unknown) => {
        if (!isNotOffered(error)) throw error;
        isOffered = false;
        return readPreferences();
      });
    };
    return (await ifFound(read())) !== undefined;
  };
}
