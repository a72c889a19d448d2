// Senders for the subscriptions of topics: subscribing a list of subscribers to a topic, or each to the topic of its row;
// removing a list of subscribers from a topic; and both at once.

import type { z } from 'zod';
import type { SvcError } from '../../core/errors.ts';
import { isObject } from '../../core/objects.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Input } from '../../service/operations/index.ts';
import { contextsOfKeys } from '../../service/rules/event-contexts.ts';
import type { SubscriptionChoice } from '../../service/schemas/topics.ts';
import type { Frame } from '../engine/body-writer.ts';
import type { Item, Outcome, Sender } from '../engine/sender.ts';
import { normalizeName } from './columns.ts';
import { jsonCell, toList } from './field-reader.ts';
import { createIdReader, type IdReader, toIdItem, toPathItem } from './id-list.ts';
import { listAt, nonEmptyText, toMessage } from './responses.ts';

type TopicReader = (record: InputRecord) => { topicKey: string } | { error: string };

/** Reads the topic of a row. With `topicKeys`, other topics are errors. */
function createTopicReader(
  readKey: IdReader,
  topicKeys: ReadonlySet<string> | undefined,
): TopicReader {
  return (record) => {
    const item = toPathItem(readKey(record), 'topicKey');
    if ('error' in item) return item;
    if (topicKeys && !topicKeys.has(item.id))
      return { error: `topicKey: ${item.id} does not exist (--create creates it)` };
    return { topicKey: item.id };
  };
}

/** The columns of a file of subscriptions with identifiers, such as the topics file of `svc subscribers export`. */
export const subscriptionFields = [
  'subscriberId',
  'topicKey',
  'identifier',
  'name',
  'contextKeys',
  'preferences',
] as const;

/** The values of a row for its subscription. The members of `shared` are sent once for all subscriptions of a request. */
export interface SubscriptionRow {
  identifier?: string;
  name?: string;
  shared: Pick<Input<'subscribeToTopic'>['body'], 'preferences' | 'context'>;
}

type SubscriptionReader = (record: InputRecord) => SubscriptionRow | { error: string } | undefined;

/** Reads the columns of subscriptions with identifiers. Returns undefined for a row without values in them. */
function createSubscriptionReader(
  source: RecordSource,
  schemas: { contextKeys: z.ZodType<string[]>; preferences: z.ZodType<SubscriptionChoice[]> },
): SubscriptionReader {
  const names = new Set(source.header?.map(normalizeName));
  const reader = (field: string): IdReader =>
    source.header && !names.has(normalizeName(field)) && !source.fieldColumns?.has(field)
      ? () => undefined
      : createIdReader(source, field);
  const textOf = (read: IdReader) => (record: InputRecord) => {
    const value = read(record);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const readIdentifier = textOf(reader('identifier'));
  const readName = textOf(reader('name'));
  const readContextKeys = reader('contextKeys');
  const readPreferences = reader('preferences');
  return (record) => {
    const identifier = readIdentifier(record);
    const name = readName(record);
    const contextKeys = schemas.contextKeys.safeParse(toList(readContextKeys(record)));
    if (!contextKeys.success)
      return { error: 'contextKeys: must be contexts such as tenant:acme, separated by commas' };
    const preferences = schemas.preferences.optional().safeParse(jsonCell(readPreferences(record)));
    if (!preferences.success)
      return { error: 'preferences: must be a JSON array of {workflowId, enabled, condition}' };
    const shared = {
      ...(preferences.data?.length ? { preferences: preferences.data } : {}),
      ...(contextKeys.data.length > 0 ? { context: contextsOfKeys(contextKeys.data) } : {}),
    };
    if (identifier === undefined && name === undefined && Object.keys(shared).length === 0)
      return undefined;
    return {
      ...(identifier === undefined ? {} : { identifier }),
      ...(name === undefined ? {} : { name }),
      shared,
    };
  };
}

const subscriberIdsFrame = { open: '{"subscriberIds":[', close: ']}' };
const subscriptionsFrame = { open: '{"subscriptions":[', close: ']}' };
const groupSeparator = '\n';

/** The members that the subscriptions of a request share are in the text of their group. */
function frameOf(item: Item | undefined): Frame {
  const [, shared] = item?.group?.split(groupSeparator) ?? [];
  if (shared === undefined) return subscriberIdsFrame;
  const members = shared.slice(1, -1);
  return { open: `{${members}${members && ','}"subscriptions":[`, close: ']}' };
}

/**
 * The items of a request have the same topic, choices and contexts. Without `readSubscription`, rows name a subscriber only,
 * which every version of the service understands.
 */
export const createSubscriptionSender = (
  readTopic: TopicReader,
  idOf: IdReader,
  readSubscription?: SubscriptionReader,
): Sender => ({
  operation: 'subscribeToTopic',
  successStates: ['subscribed'],
  isOrdered: false,
  path([item]) {
    const [topicKey = ''] = item?.group?.split(groupSeparator) ?? [];
    return { topicKey };
  },
  frame: readSubscription ? ([item]) => frameOf(item) : subscriberIdsFrame,
  toItem(record) {
    const topic = readTopic(record);
    if ('error' in topic) return topic;
    const item = toIdItem(idOf(record), 'subscriberId');
    if ('error' in item) return item;
    const subscription = readSubscription?.(record);
    if (subscription === undefined) return { ...item, group: topic.topicKey };
    if ('error' in subscription) return subscription;
    const { shared, ...named } = subscription;
    return {
      id: item.id,
      json: JSON.stringify({ ...named, subscriberId: item.id }),
      group: `${topic.topicKey}${groupSeparator}${JSON.stringify(shared)}`,
    };
  },
  subscriberOf: idOf,
  readOutcomes({ value }, items) {
    const subscriptions = items.map(({ id, record }) => {
      const subscription = record && readSubscription?.(record);
      return { id, ...(subscription && 'shared' in subscription ? subscription : {}) };
    });
    return readSubscriptionOutcomes(value, subscriptions);
  },
  readRejection: (error, items) =>
    reasonsOfAll(error, items)?.map((reason) => ({ state: 'failed', reason })),
});

/** The reason for each item: the service rejects the whole request, and lists each id, if it can use none of them. */
function reasonsOfAll({ details: { status, fieldErrors } }: SvcError, items: readonly Item[]) {
  const reasons = new Map(fieldErrors?.map(({ field, message }) => [field, message]));
  if (status !== 400 || !items.every(({ id }) => reasons.has(id))) return undefined;
  return items.map(({ id }) => reasons.get(id) ?? '');
}

/** The sender for rows that name their topics and, perhaps, identifiers. With `topicKeys`, other topics are errors. */
export async function openSubscriptionSender(
  source: RecordSource,
  topicKeys: ReadonlySet<string> | undefined,
): Promise<Sender> {
  const { subscriptionCells } = await import('../../service/schemas/topics.ts');
  return createSubscriptionSender(
    createTopicReader(createIdReader(source, 'topicKey'), topicKeys),
    createIdReader(source, 'subscriberId'),
    createSubscriptionReader(source, subscriptionCells),
  );
}

/** An id that the response lists both as subscribed and as failed counts as failed, unless its identifier is subscribed. */
function readSubscriptionOutcomes(
  response: unknown,
  items: readonly { id: string; identifier?: string }[],
): Outcome[] {
  const errors = errorsById(listAt(response, 'errors'), 'not subscribed');
  const subscribed = listAt(response, 'data').map((entry) => ({
    id: subscriberIdOf(entry),
    identifier: entry.identifier,
  }));
  const ids = new Set(subscribed.map(({ id }) => id));
  const isSubscribed = ({ id, identifier }: { id: string; identifier?: string }) =>
    identifier === undefined
      ? ids.has(id) && !errors.has(id)
      : subscribed.some((one) => one.id === id && one.identifier === identifier);
  return items.map((item): Outcome => {
    if (isSubscribed(item)) return { state: 'subscribed' };
    const reason = errors.get(item.id);
    return reason === undefined ? { state: 'unknown' } : { state: 'failed', reason };
  });
}

/** The reason for each rejected id. */
const errorsById = (errors: readonly Record<string, unknown>[], fallback: string) =>
  new Map(
    errors.map(({ subscriberId, message }) => [subscriberId, toMessage(message) ?? fallback]),
  );

const subscriberIdOf = ({ subscriber }: Record<string, unknown>) =>
  isObject(subscriber) ? nonEmptyText(subscriber.subscriberId) : undefined;

/** A subscriber who is not subscribed counts as absent. With an identifier, only this subscription is removed. */
export const createUnsubscriptionSender = (
  topicKey: string,
  idOf: IdReader,
  identifier?: string,
): Sender => ({
  operation: 'unsubscribeFromTopic',
  successStates: ['unsubscribed', 'absent'],
  isOrdered: false,
  path: { topicKey },
  frame: identifier === undefined ? subscriberIdsFrame : subscriptionsFrame,
  toItem(record) {
    const item = toIdItem(idOf(record), 'subscriberId');
    if (identifier === undefined || 'error' in item) return item;
    return { ...item, json: JSON.stringify({ identifier, subscriberId: item.id }) };
  },
  readOutcomes({ value, maybeApplied = false }, items) {
    const reasons = errorsById(listAt(value, 'errors'), 'not removed');
    const removedIds = new Set(listAt(value, 'data').map(subscriberIdOf));
    return items.map(({ id }): Outcome => {
      if (removedIds.has(id)) return { state: 'unsubscribed' };
      const reason = reasons.get(id);
      return reason === undefined ? { state: 'unknown' } : toRemoval(reason, maybeApplied);
    });
  },
  readRejection: (error, items, maybeApplied) =>
    reasonsOfAll(error, items)?.map((reason) => toRemoval(reason, maybeApplied)),
});

/** An unknown subscriber is a failure, unless an earlier attempt may have removed it and it was deleted since. */
const toRemoval = (reason: string, maybeApplied: boolean): Outcome =>
  maybeApplied || reason.startsWith('Subscription for subscriber')
    ? { state: 'absent' }
    : { state: 'failed', reason };

export interface TopicChange {
  subscriberId: string;
  action: 'add' | 'remove';
}

const removal: TopicChange['action'] = 'remove';
const added: Outcome = { state: 'added' };
const removed: Outcome = { state: 'removed' };

/** Adds subscribers and removes others: all additions come first. A row is {subscriberId, action}. */
export function createTopicChangeSender(topicKey: string): Sender {
  const readId: IdReader = ({ value }) => value?.subscriberId;
  const additions = createSubscriptionSender(() => ({ topicKey }), readId);
  const removals = createUnsubscriptionSender(topicKey, readId);
  const senderOf = ([item]: readonly Item[]) => (item?.group === removal ? removals : additions);
  const toChange = (outcome: Outcome): Outcome => {
    if (outcome.state === 'subscribed') return added;
    // An absent subscriber does not have to be removed.
    return outcome.state === 'unsubscribed' || outcome.state === 'absent' ? removed : outcome;
  };
  return {
    operation: 'subscribeToTopic',
    successStates: ['added', 'removed'],
    isOrdered: false,
    hasPhases: true,
    operationOf: (items) => senderOf(items).operation,
    path: { topicKey },
    frame: subscriberIdsFrame,
    toItem({ value = {} }) {
      const item = toIdItem(value.subscriberId, 'subscriberId');
      return 'error' in item ? item : { ...item, group: String(value.action) };
    },
    readOutcomes: (response, items) => senderOf(items).readOutcomes(response, items).map(toChange),
    readRejection: (error, items, maybeApplied) =>
      senderOf(items).readRejection?.(error, items, maybeApplied)?.map(toChange),
  };
}
