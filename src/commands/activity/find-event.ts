// Finds the event that `svc activity explain` explains, or the reason why no event matches.
import { readOptional } from '../../api/read-optional.ts';
import type { Context } from '../../app/context.ts';
import { ifPresent, SvcError, usageError } from '../../core/errors.ts';
import { closestMatches } from '../../core/suggestions.ts';
import { listSome, listText, shellWord } from '../../core/text.ts';
import { explainNoEvent, type NoEvent, type Search } from '../../deliveries/explanation.ts';
import { requireRecipient } from '../../deliveries/read.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import type { Workflow } from '../../service/schemas/workflows.ts';
import { newestIds, subscriberExists } from '../shared/missing-resources.ts';

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
  return (await ifPresent(client.call('getWorkflow', { path: { workflowId } }))) ?? null;
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

async function newestEvent(
  context: Context,
  query: { subscriberIds?: string[]; [filter: string]: unknown },
): Promise<ActivityItem | undefined> {
  const [subscriberId] = query.subscriberIds ?? [];
  for await (const { items } of context.pages('listActivity', { query }, { limit: 1 })) {
    if (subscriberId !== undefined) requireRecipient(items, subscriberId);
    return items[0];
  }
  return undefined;
}

/** Finds out why no event matches: at most six requests. */
export async function searchReasons(
  context: Context,
  question: Question,
  workflow: Workflow | null | undefined,
): Promise<NoEvent> {
  const { subscriberId, workflowId, topicKey, transactionId } = question;
  const search: Search = { ...question, workflow };
  if (workflow === null && workflowId !== undefined)
    return explainNoEvent({
      ...search,
      similar: closestMatches(workflowId, await newestIds(context, 'workflow')),
    });
  const [isSubscriberKnown, others] = await Promise.all([
    subscriberExists(await context.client(), subscriberId),
    readOtherEvents(context, { subscriberId, transactionId, topicKey }),
  ]);
  const topicFacts = topicKey === undefined ? {} : await readTopic(context, subscriberId, topicKey);
  const facts = { ...search, isSubscriberKnown, ...others, ...topicFacts };
  const found = explainNoEvent(facts);
  if (found.cause !== 'no_event' || workflowId !== undefined || transactionId !== undefined)
    return found;
  return explainNoEvent({ ...facts, inactiveWorkflows: await listInactiveWorkflows(context) });
}

/** An event of the same transaction or, without a transaction, to the same topic. */
async function readOtherEvents(
  context: Context,
  { subscriberId, transactionId, topicKey }: Question,
): Promise<Pick<Search, 'transactionEvent' | 'topicEvent'>> {
  if (transactionId !== undefined)
    return {
      transactionEvent:
        (await newestEvent(context, { transactionId, subscriberIds: [subscriberId] })) ??
        (await newestEvent(context, { transactionId })),
    };
  return topicKey === undefined ? {} : { topicEvent: await newestEvent(context, { topicKey }) };
}

async function readTopic(
  context: Context,
  subscriberId: string,
  topicKey: string,
): Promise<Pick<Search, 'isTopicKnown' | 'isSubscribed' | 'similar'>> {
  const client = await context.client();
  const topic = await ifPresent(client.call('getTopic', { path: { topicKey } }));
  if (topic === undefined)
    return {
      isTopicKnown: false,
      similar: closestMatches(topicKey, await newestIds(context, 'topic')),
    };
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

// Finds the subscriber with an e-mail address or phone number.

export interface Address {
  email?: string | undefined;
  phone?: string | undefined;
  phoneRegion?: string | undefined;
}

interface Candidate {
  subscriberId: string;
  email?: string | null | undefined;
  phone?: string | null | undefined;
}

const maxShown = 10;

/** Throws a notFound error without a match, and a usage error that lists several. */
export async function findSubscriber(context: Context, address: Address): Promise<string> {
  const email = address.email?.trim();
  const toNumber = await openNumberReader(address.phoneRegion);
  const digits = address.phone === undefined ? undefined : keepDigits(address.phone);
  const phone = digits === undefined ? undefined : toNumber(digits);
  const candidates = await readCandidates(context, { email, phone });
  // The subscriber can have the number without a country code, too.
  if (phone !== digits)
    candidates.push(...(await readCandidates(context, { email, phone: digits })));
  const ids = candidates
    .filter((candidate) => email === undefined || isSame(candidate.email, email))
    .filter(
      (candidate) => phone === undefined || toNumber(keepDigits(candidate.phone ?? '')) === phone,
    )
    .map(({ subscriberId }) => subscriberId);
  const [id, ...others] = [...new Set(ids)];
  const text = listText([
    ...(email === undefined ? [] : [`the e-mail address ${email}`]),
    ...(phone === undefined ? [] : [`the phone number ${phone}`]),
  ]);
  if (id === undefined)
    throw new SvcError('notFound', `No subscriber has ${text}.`, {
      ...(phone?.startsWith('0') && address.phoneRegion === undefined
        ? { hint: 'The number has no country code: add --phone-region, such as --phone-region DE.' }
        : {}),
      next: [`svc subscribers list ${email === undefined ? '--phone' : '--email'} <text>`],
    });
  if (others.length === 0) return id;
  const all = [id, ...others];
  throw usageError(`${all.length} subscribers have ${text}: ${listSome(all, maxShown)}.`, {
    next: all.slice(0, maxShown).map((match) => `svc activity explain ${shellWord(match)}`),
  });
}

const isSame = (stored: string | null | undefined, wanted: string) =>
  stored?.toLowerCase() === wanted.toLowerCase();

/** `+49 170/123` is `+49170123`. */
const keepDigits = (phone: string) => phone.replace(/[^\d+]/g, '');

/** Returns a function that completes a number with the code of the country; other texts stay. */
async function openNumberReader(region: string | undefined): Promise<(phone: string) => string> {
  if (region === undefined) return (phone) => phone;
  const { createPhoneReader } = await import('../../input/phone-numbers.ts');
  const read = createPhoneReader(region);
  return (phone) => {
    const number = read(phone);
    return 'number' in number ? number.number : phone;
  };
}

/** The listing of subscribers, or the newest event for an e-mail address if the server does not list subscribers. */
async function readCandidates(context: Context, { email, phone }: Address): Promise<Candidate[]> {
  const client = await context.client();
  try {
    const query = { email, phone, limit: 100 };
    return [...(await client.call('listSubscribers', { query })).data];
  } catch (error) {
    const isOffered = !(error instanceof SvcError && error.details.notOffered);
    if (isOffered || email === undefined || phone !== undefined) throw error;
    const { data } = await client.call('listActivity', { query: { emails: [email], limit: 1 } });
    return data.flatMap(({ subscriber }) => subscriber ?? []);
  }
}
