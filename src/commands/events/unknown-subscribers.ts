// Recipients that do not exist. The service creates them, so a mistyped id becomes a new subscriber.
import type { Client } from '../../api/client.ts';
import type { RawRequest } from '../../api/request.ts';
import type { Context } from '../../app/context.ts';
import { mapConcurrently } from '../../core/async.ts';
import { isMissing, SvcError } from '../../core/errors.ts';
import { closestMatches } from '../../core/suggestions.ts';
import { listText } from '../../core/text.ts';
import type { Recipient } from './recipients.ts';

/** With more ids, the requests would delay the event for too long. */
const maxChecked = 10;
const maxConcurrent = 5;
const maxDelayMs = 3_000;

/** Throws notFound if a subscriber does not exist. */
export async function ensureSubscribersExist(
  context: Context,
  to: readonly Recipient[],
): Promise<void> {
  const client = await context.client();
  const ids = to.flatMap((recipient) =>
    'subscriberId' in recipient ? [recipient.subscriberId] : [],
  );
  const missing = await listMissing(ids, (subscriberId) =>
    client.call('getSubscriberPreferences', { path: { subscriberId } }),
  );
  const [first] = missing;
  if (first === undefined) return;
  const candidates = await readCandidates(client);
  const isOne = missing.length === 1;
  throw new SvcError(
    'notFound',
    `${isOne ? 'Subscriber' : 'Subscribers'} ${quoted(missing)} ${isOne ? 'does' : 'do'} not exist.`,
    {
      hint: 'Nothing was triggered. Without --existing-only, the service creates missing subscribers.',
      ...(isOne
        ? { suggestion: { input: first, candidates } }
        : { suggestions: missing.map((input) => ({ input, candidates })) }),
    },
  );
}

export interface NewSubscribers {
  ids: readonly string[];
  /** A warning that names them and similar ids. */
  text: string;
}

/**
 * Finds the subscribers that an event to these ids creates; undefined if there are none. Must be called before the
 * event is sent. The event does not depend on it, so it sends one request for each id without retries, and stops
 * early.
 */
export async function findNewSubscribers(
  { host: { clock, shutdownSignal }, client: openClient }: Context,
  ids: readonly string[],
): Promise<NewSubscribers | undefined> {
  if (ids.length === 0 || ids.length > maxChecked) return undefined;
  const client = await openClient();
  const { signal, clear } = clock.deadline(maxDelayMs, shutdownSignal);
  try {
    const missing = await listMissing(ids, async (subscriberId) => {
      try {
        const input = { path: { subscriberId } };
        const request = await client.prepare('getSubscriberPreferences', input);
        await client.send({ ...request, ...once(signal) });
      } catch (error) {
        // A wrong key fails the event as well. Any other failure leaves open whether the subscriber exists.
        if (isMissing(error) || isWrongKey(error)) throw error;
      }
    });
    if (missing.length === 0) return undefined;
    const candidates = await readCandidates(client, once(signal));
    return { ids: missing, text: warningText(missing, candidates) };
  } finally {
    clear();
  }
}

/** Sends a request without retries. */
const once = (signal: AbortSignal) => ({
  signal,
  retrySignal: AbortSignal.abort(),
  isLookUp: true,
});

function warningText(missing: readonly string[], candidates: readonly string[]): string {
  const were = missing.length === 1 ? 'was' : 'were';
  const similar = [...new Set(missing.flatMap((id) => closestMatches(id, candidates)))];
  const suggestion = similar.length === 0 ? '.' : `; did you mean ${listText(similar, 'or')}?`;
  return `${listText(missing)} did not exist and ${were} created without an address${suggestion} To reject unknown subscribers, use --existing-only.`;
}

/** The ids that `read` does not find. Reading preferences fails for an unknown subscriber and creates none. */
async function listMissing(
  ids: readonly string[],
  read: (subscriberId: string) => Promise<unknown>,
): Promise<string[]> {
  const missing: string[] = [];
  const checks = mapConcurrently(new Set(ids), maxConcurrent, async (id) => {
    try {
      await read(id);
      return undefined;
    } catch (error) {
      if (isMissing(error)) return id;
      throw error;
    }
  });
  for await (const id of checks) if (id !== undefined) missing.push(id);
  return missing;
}

const isWrongKey = (error: unknown) => error instanceof SvcError && error.details.status === 401;

/** Ids of the newest subscribers, to find a typo; empty if the server does not list subscribers. */
async function readCandidates(
  client: Client,
  options: Partial<RawRequest> = {},
): Promise<string[]> {
  try {
    const request = await client.prepare('listSubscribers', { query: { limit: 100 } });
    const { value } = await client.send({ ...request, ...options });
    return (value as { data: { subscriberId: string }[] }).data.map(
      (subscriber) => subscriber.subscriberId,
    );
  } catch {
    return [];
  }
}

const quoted = (ids: readonly string[]) => listText(ids.map((id) => `\`${id}\``));
