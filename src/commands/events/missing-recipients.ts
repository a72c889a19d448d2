// Recipients that do not exist. The service creates them, so a mistyped id becomes a new subscriber, and a person who was
// erased exists again.

import type { Client } from '../../api/client.ts';
import type { RawRequest } from '../../api/request.ts';
import type { Context } from '../../app/context.ts';
import type { BulkCommand, OpenedSender } from '../../bulk/command/bulk-command.ts';
import type { Sender } from '../../bulk/engine/sender.ts';
import { isMissing, SvcError, usageError } from '../../core/errors.ts';
import { closestMatches } from '../../core/suggestions.ts';
import { counted, grouped, listSome, listText } from '../../core/text.ts';
import {
  findMissingSubscribers,
  listMissing,
  subscriberExists,
} from '../shared/missing-resources.ts';
import type { Recipient } from './recipients.ts';
import { requireSteps } from './trigger-response.ts';

interface CheckOptions {
  existingOnly?: boolean;
  validateOnly?: boolean;
}

const maxNamed = 5;

/**
 * Counts the recipients of a file that do not exist and, with --existing-only, rejects their rows. Refuses a workflow
 * without steps, whose events newer servers accept and never send.
 */
export function openRecipientCheck(
  context: Context,
  { existingOnly, validateOnly }: CheckOptions,
  workflowId?: string,
) {
  let missing: ReadonlySet<string> = new Set();

  const read = (ids: ReadonlySet<string>) =>
    findMissingSubscribers(context, ids).catch((error: unknown) => {
      // The run does not depend on it, and reports the error if its own requests fail, too.
      if (!(error instanceof SvcError) || existingOnly || context.host.shutdownSignal.aborted)
        throw error;
      context.note(`It was not checked whether the recipients exist: ${error.message}`);
      return [];
    });

  const checkRecipients: BulkCommand['checkRecipients'] = async (listIds, isResumed) => {
    // Without --yes and a terminal, the question is refused, so that no request is needed.
    const isRefused = !validateOnly && !context.globals.yes && !context.prompt.isPossible;
    if (!existingOnly && (isResumed || isRefused)) return;
    if (validateOnly && !context.connection.findTarget()) return;
    if (!listIds && existingOnly)
      throw usageError('--existing-only needs an input that can be read twice.', {
        hint: 'Use a file, or add --spool.',
      });
    if (workflowId !== undefined && !isResumed && !validateOnly)
      await requireSteps(context, workflowId);
    if (!listIds) {
      context.note(
        'The input cannot be read twice, so it is not checked whether recipients exist.',
      );
      return;
    }
    const ids = await listIds();
    missing = new Set(await read(ids));
    if (missing.size > 0) context.note(missingText(missing, ids.size, existingOnly === true));
  };

  return {
    checkRecipients,
    withCheck: (sender: Sender): OpenedSender => ({
      ...sender,
      toItem(record, row, body) {
        const unknown = existingOnly
          ? sender.recipientsOf?.(record).find((id) => missing.has(id))
          : undefined;
        return unknown === undefined
          ? sender.toItem(record, row, body)
          : { error: `subscriberId: \`${unknown}\` does not exist` };
      },
      summary: () => (missing.size === 0 ? {} : { missingSubscribers: missing.size }),
    }),
  };
}

function missingText(missing: ReadonlySet<string>, all: number, isRejected: boolean): string {
  const names = listSome([...missing], maxNamed);
  const verb = missing.size === 1 ? 'does' : 'do';
  const effect = isRejected
    ? 'Their rows are rejected.'
    : 'The service creates them when it gets their events. To reject their rows, use --existing-only.';
  return `Warning: ${grouped(missing.size)} of ${counted(all, 'recipient')} ${verb} not exist: ${names}. ${effect}`;
}

// The recipients of a single event.

/** With more ids, the requests would delay the event for too long. */
const maxChecked = 10;
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
  const missing = await listMissing(ids, (id) => subscriberExists(client, id));
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
        ? { suggestion: { input: first, candidates, existing: 'subscribers' } }
        : { suggestions: missing.map((input) => ({ input, candidates })) }),
    },
  );
}

export interface NewSubscribers {
  ids: readonly string[];
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
        return true;
      } catch (error) {
        // A wrong key fails the event as well. Any other failure leaves open whether the subscriber exists.
        if (isWrongKey(error)) throw error;
        return !isMissing(error);
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
