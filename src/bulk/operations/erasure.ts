// Erases people: reads what the service has of a person, deletes it, and reads each part again. All requests of a person
// belong to one row of a run.
import { DryRun, type UnsentRequest } from '../../api/dry-run.ts';
import { pages } from '../../api/paginate.ts';
import { collectItems } from '../../core/async.ts';
import { ifPresent, SvcError } from '../../core/errors.ts';
import { counted, firstNames, listText } from '../../core/text.ts';
import type { InputRecord } from '../../input/records.ts';
import { isFinished } from '../../service/job-outcomes.ts';
import type { Outcome, RowRequests, Sender } from '../engine/sender.ts';
import { type IdReader, requestPerId, toPathItem } from './id-list.ts';
import {
  all,
  deleteChannels,
  foreignError,
  hasChannels,
  listChannels,
  type PersonChannels,
  type ServerFacts,
} from './person-channels.ts';

type Call = RowRequests['call'];

/** In the order of the deletions. The activity stays. */
export type PersonalDataKind =
  | 'messages'
  | 'subscriptions'
  | 'credentials'
  | 'channels'
  | 'preferences'
  | 'subscriber';

interface PendingTransaction {
  transactionId: string;
  workflow: string;
}

export interface PersonalData {
  /** The id that the items of the person have. */
  internalId: string | undefined;
  messages: readonly string[];
  topics: readonly string[];
  providers: readonly string[];
  /** Undefined if the server has none. */
  channels: PersonChannels | undefined;
  /** Whether events of the person stay in the service. */
  hasActivity: boolean;
  pending: readonly PendingTransaction[];
}

export interface Erasure {
  removed: PersonalDataKind[];
  /** Data that is still there; `activity` always stays. */
  left: (PersonalDataKind | 'activity')[];
  /** Data that cannot be read any more, and whose removal no response confirms. */
  unknown: 'preferences'[];
}

interface ErasureSenderOptions {
  readId: IdReader;
  /** Erase people with pending transactions, too. */
  keepsPending: boolean;
  /** The data of people that is already read; undefined for those who do not exist. */
  surveys?: ReadonlyMap<string, PersonalData | undefined>;
  onId?: (id: string) => void;
  /** Called for each person; without an erasure if the subscriber does not exist. */
  onErasure: (id: string, erasure: Erasure | undefined) => void;
}

export function createErasureSender({
  readId,
  keepsPending,
  surveys,
  onId,
  onErasure,
}: ErasureSenderOptions): Sender {
  const server: ServerFacts = {};
  const toItem = (record: InputRecord) => {
    const item = toPathItem(readId(record), 'subscriberId');
    if ('id' in item) onId?.(item.id);
    return item;
  };
  return {
    ...requestPerId('deleteSubscriber', readId, { field: 'subscriberId' }),
    successStates: ['erased', 'absent'],
    isOrdered: true,
    toItem,
    onFinishedRow: toItem,
    async sendRow({ id }, { call, maybeApplied }): Promise<Outcome> {
      const data = surveys ? surveys.get(id) : await surveyPerson(call, id, server);
      if (!data && maybeApplied) return { state: 'unknown', reason: unknownText };
      if (!data) {
        onErasure(id, undefined);
        return { state: 'absent' };
      }
      if (data.pending.length > 0 && !keepsPending)
        return { state: 'failed', reason: pendingText(data.pending) };
      const erasure = await erasePerson(call, id, data).catch((error: unknown) => {
        if (error instanceof DryRun) return throwErasureDryRun(call, id, data);
        throw error;
      });
      onErasure(id, erasure);
      const left = erasure.left.filter((kind) => kind !== 'activity');
      if (left.length > 0)
        return { state: 'failed', reason: `the service still has: ${left.join(', ')}` };
      return erasure.unknown.length > 0
        ? { state: 'unknown', reason: unknownText }
        : { state: 'erased' };
    },
  };
}

/** The subscriber is gone, but an error or a lost response leaves open whether everything was deleted. */
const unknownText = 'the service did not confirm that it deleted: preferences';

const maxNamed = 5;

function pendingText(pending: readonly PendingTransaction[]): string {
  const ids = pending.map(({ transactionId }) => transactionId);
  return `${counted(pending.length, 'transaction')} pending: ${listText(firstNames(ids, maxNamed))}`;
}

/** Undefined if the subscriber does not exist. */
export async function surveyPerson(
  call: Call,
  subscriberId: string,
  server: ServerFacts,
): Promise<PersonalData | undefined> {
  const path = { subscriberId };
  const subscriber = await ifPresent(call('getSubscriber', { path }));
  if (!subscriber) return undefined;
  const internalId = subscriber._id;
  const { hasActivity, pending } = await surveyActivity(call, subscriberId);
  const providers = (subscriber.channels ?? []).map(({ providerId }) => providerId);
  return {
    internalId,
    hasActivity,
    pending,
    messages: await listMessages(call, subscriberId, internalId),
    topics: await listTopics(call, subscriberId),
    providers: [...new Set(providers)],
    channels: await listChannels(call, subscriberId, server),
  };
}

/** The subscriber is deleted last, and only if everything else reads back empty, so that a retry finds the person. */
async function erasePerson(call: Call, subscriberId: string, data: PersonalData): Promise<Erasure> {
  const existed = await removePersonalData(call, subscriberId, data);
  const leftFirst = await readLeft(call, subscriberId, data);
  const activity = data.hasActivity ? (['activity'] as const) : [];
  const removed = existed.filter((kind) => !leftFirst.includes(kind));
  if (leftFirst.length > 0)
    return { removed, left: [...leftFirst, 'preferences', 'subscriber', ...activity], unknown: [] };
  const path = { subscriberId };
  const { isConfirmed, error } = await removeSubscriber(call, subscriberId);
  if (await ifPresent(call('getSubscriber', { path }))) {
    if (error) throw error;
    return { removed, left: ['preferences', 'subscriber', ...activity], unknown: [] };
  }
  const isReadable = (await ifPresent(call('getSubscriberPreferences', { path }))) !== undefined;
  const preferences = ['preferences'] as const;
  return {
    removed: [...removed, ...(isConfirmed && !isReadable ? preferences : []), 'subscriber'],
    left: [...(isReadable ? preferences : []), ...activity],
    unknown: isConfirmed || isReadable ? [] : [...preferences],
  };
}

async function throwErasureDryRun(call: Call, id: string, data: PersonalData): Promise<never> {
  const unsent: UnsentRequest[] = [];
  const collect: Call = async (operation, input) => {
    try {
      return await call(operation, input);
    } catch (error) {
      if (!(error instanceof DryRun)) throw error;
      unsent.push(...error.requests);
      return undefined as never;
    }
  };
  await removePersonalData(collect, id, data, 1);
  await removeSubscriber(collect, id);
  throw new DryRun(unsent);
}

/** New messages can arrive in the meantime. */
const maxRounds = 3;

/** Returns what there was. */
async function removePersonalData(
  call: Call,
  subscriberId: string,
  { messages, topics, providers, channels, internalId }: PersonalData,
  rounds = maxRounds,
): Promise<PersonalDataKind[]> {
  const path = { subscriberId };
  let left = messages;
  for (let round = 1; left.length > 0 && round <= rounds; round += 1) {
    for (const messageId of left.filter(Boolean))
      await ifPresent(call('deleteMessage', { path: { messageId } }));
    if (rounds > 1) left = await listMessages(call, subscriberId, internalId);
  }
  for (const topicKey of topics)
    await unlessRejected(
      call('unsubscribeFromTopic', { path: { topicKey }, body: { subscriberIds: [subscriberId] } }),
    );
  for (const providerId of providers)
    await ifPresent(call('deleteSubscriberCredentials', { path: { ...path, providerId } }));
  if (channels) await deleteChannels(call, channels);
  return kindsOf({
    messages: messages.length > 0,
    subscriptions: topics.length > 0,
    credentials: providers.length > 0,
    channels: hasChannels(channels),
  });
}

const kindsOf = (has: Partial<Record<PersonalDataKind, boolean>>) =>
  (Object.keys(has) as PersonalDataKind[]).filter((kind) => has[kind]);

/** The preferences cannot be read without the subscriber, so only the response says that they were deleted, too. */
async function removeSubscriber(call: Call, subscriberId: string) {
  try {
    const response = await ifPresent(call('deleteSubscriber', { path: { subscriberId } }));
    return { isConfirmed: response?.acknowledged === true };
  } catch (error) {
    if (!(error instanceof SvcError && error.details.maybeApplied)) throw error;
    return { isConfirmed: false, error };
  }
}

/** The data that is still there, as far as it can be read while the subscriber exists. */
async function readLeft(
  call: Call,
  subscriberId: string,
  { topics, internalId, channels: earlierChannels }: PersonalData,
): Promise<PersonalDataKind[]> {
  const messages = await listMessages(call, subscriberId, internalId);
  let isSubscribed = (await listTopics(call, subscriberId)).length > 0;
  for (const topicKey of topics) {
    const query = { subscriberId };
    const page = await ifPresent(call('listTopicSubscriptions', { path: { topicKey }, query }));
    isSubscribed ||= (page?.data.length ?? 0) > 0;
  }
  const subscriber = await ifPresent(call('getSubscriber', { path: { subscriberId } }));
  // The service may keep a channel whose credentials are removed.
  const hasCredentials = (subscriber?.channels ?? []).some(({ credentials = {} }) =>
    Object.values(credentials).some((value) => (Array.isArray(value) ? value.length > 0 : value)),
  );
  const channels = earlierChannels && (await listChannels(call, subscriberId, {}));
  return kindsOf({
    messages: messages.length > 0,
    subscriptions: isSubscribed,
    credentials: hasCredentials,
    channels: hasChannels(channels),
  });
}

async function surveyActivity(call: Call, subscriberId: string) {
  const pending = new Map<string, PendingTransaction>();
  let hasActivity = false;
  const query = { subscriberIds: [subscriberId] };
  for await (const { items } of pages({ call }, 'listActivity', { query }, all)) {
    hasActivity ||= items.length > 0;
    for (const { transactionId, template, jobs, channels } of items) {
      // The service creates the jobs of an event a moment later, and the subscriber again.
      const isFinal = jobs?.length ? jobs.every(isFinished) : !channels?.length;
      if (!isFinal) pending.set(transactionId, { transactionId, workflow: template?.name ?? '' });
    }
  }
  return { hasActivity, pending: [...pending.values()] };
}

/** A message without an id, which cannot be deleted, has the id ''. */
async function listMessages(
  call: Call,
  subscriberId: string,
  internalId: string | undefined,
): Promise<string[]> {
  const listed = collectItems(pages({ call }, 'listMessages', { query: { subscriberId } }, all));
  const messages = (await ifPresent(listed)) ?? [];
  requireOwn(messages, internalId, 'message');
  return messages.map(({ _id = '' }) => _id);
}

/** Throws if an item belongs to another person: the service did not filter the listing. */
export function requireOwn(
  items: readonly { _id?: string | undefined; _subscriberId?: unknown }[],
  internalId: string | undefined,
  noun: string,
): void {
  const foreign = items.find(({ _subscriberId }) => _subscriberId !== internalId);
  if (foreign) throw foreignError(`${noun} ${foreign._id}`);
}

async function listTopics(call: Call, subscriberId: string): Promise<string[]> {
  const path = { subscriberId };
  const listed = collectItems(pages({ call }, 'listSubscriberTopics', { path }, all));
  return [...new Set((await ifPresent(listed))?.map(({ topic }) => topic.key))];
}

/** The service rejects the removal of a subscriber who is not subscribed; the subscription is read again later. */
async function unlessRejected(response: Promise<unknown>): Promise<void> {
  await ifPresent(
    response.catch((error: unknown) => {
      if (!(error instanceof SvcError) || error.details.status !== 400) throw error;
    }),
  );
}
