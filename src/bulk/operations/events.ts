// Senders that trigger many events: from a file of events, or one event per row of a file of recipients.
import type { z } from 'zod';
import type { Client } from '../../api/client.ts';
import { pages } from '../../api/paginate.ts';
import { usageError } from '../../core/errors.ts';
import { containsExactNumber, isExactNumber, stringifyExact } from '../../core/lossless-json.ts';
import { asObject, isObject } from '../../core/objects.ts';
import { findIdProblem, trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { limits } from '../../service/limits.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { withPlainMessages } from '../../service/schemas/plain-messages.ts';
import type { ExistingRows, Item, Outcome, Sender, UnsentItem } from '../engine/sender.ts';
import { rejectColumns } from './columns.ts';
import { formatIssues, nonEmptyText, toMessage } from './responses.ts';
import { mapCells, mergeObjects } from './row-mapper.ts';
import {
  convertPhone,
  createLocalPhoneCounter,
  createSubscriberReader,
  type FieldOptions,
  mapObject,
  openPhoneReader,
  recordObject,
  resolveColumns,
  toCellOptions,
} from './subscribers.ts';
import { foreignResult, type RowTransactionId } from './transaction-ids.ts';

interface EventSenderOptions {
  transactionId: RowTransactionId;
  schema: z.ZodType;
  /**
   * Converts a record to an event, or returns the reason why it cannot be sent. The event has a transaction id only if
   * the record has one.
   */
  toEvent: (record: InputRecord) => { event: Record<string, unknown> } | { error: string };
  /** Whether the common part of all events has numbers that a double cannot represent. */
  hasExactNumbers?: boolean;
}

export async function openEventSender(
  { format, header, name }: RecordSource,
  transactionId: RowTransactionId,
): Promise<Sender> {
  if (header || format === 'lines') {
    throw usageError(
      `${name} is ${header ? 'CSV' : 'a plain list'}: events are NDJSON or a JSON array.`,
      {
        hint: 'To trigger one event per row of a CSV file, name the workflow and pass the file with --recipients.',
      },
    );
  }
  const { triggerEvent } = await import('../../service/schemas/events.ts');
  const toEvent = (record: InputRecord) => ({
    event: normalizeRecipients(removeRejectColumns(recordObject(record))),
  });
  return {
    ...createEventSender({ transactionId, schema: triggerEvent, toEvent }),
    recipientsOf: (record) => listIds([recordObject(record).to].flat()),
  };
}

/** The ids of subscribers, given as ids or objects. Topics have none. */
const listIds = (recipients: readonly unknown[]): string[] =>
  recipients
    .map((recipient) => (isObject(recipient) ? recipient.subscriberId : recipient))
    .filter((id) => typeof id === 'string')
    .map(trimSpaces)
    .filter((id) => id !== '');

export interface RecipientOptions extends FieldOptions {
  /** Sends the columns of subscriber fields, which updates the subscriber. */
  updateSubscribers?: boolean;
}

/** A row of recipients, for further checks. */
export interface RecipientRow {
  /** The payload of its event. */
  payload: Record<string, unknown>;
  subscriber: Record<string, unknown>;
  /** The fields of the subscriber that the event sends. */
  fields: ReadonlySet<string>;
}

/** Opens the sender for one event per row: common content, plus the payload columns of the row. */
export async function openRecipientSender(
  source: RecordSource,
  transactionId: RowTransactionId,
  event: { name: string; payload: object },
  choices: RecipientOptions,
  checkRow?: (row: RecipientRow) => string | undefined,
): Promise<Sender> {
  const { triggerEvent } = await import('../../service/schemas/events.ts');
  const { dataRest = false, updateSubscribers } = choices;
  const columns = resolveColumns(source, choices, { payload: true });
  const cells = toCellOptions(choices);
  const toRow = (record: InputRecord): Record<string, unknown> => {
    if (record.cells && columns) return mapCells(record.cells(), columns, cells);
    const { payload, transactionId, ...row } = recordObject(record);
    return { ...mapObject(row, dataRest), payload, transactionId };
  };
  const columnFields = columns && new Set(columns.map(({ field }) => field));
  const readPhone = updateSubscribers ? await openPhoneReader(choices) : undefined;
  const localPhones =
    updateSubscribers && !readPhone ? createLocalPhoneCounter(columns) : undefined;
  const toEvent = (record: InputRecord) => {
    const { payload = {}, transactionId, ...subscriber } = toRow(record);
    const error = convertPhone(subscriber, readPhone);
    if (error !== undefined) return { error };
    const { subscriberId } = subscriber;
    if (subscriberId === undefined) return { error: 'subscriberId: is required' };
    // A column fills one member of a nested object; an object of a JSON row is whole.
    const withCommon = (own: Record<string, unknown>) =>
      columns ? mergeObjects({ ...event.payload }, own) : { ...event.payload, ...own };
    const sentPayload = isObject(payload) ? withCommon(payload) : payload;
    const fields = updateSubscribers
      ? (columnFields ?? new Set(Object.keys(subscriber)))
      : new Set<string>();
    const problem = isObject(sentPayload)
      ? checkRow?.({ payload: sentPayload, subscriber, fields })
      : undefined;
    if (problem !== undefined) return { error: problem };
    localPhones?.add(subscriber.phone);
    return {
      event: {
        ...event,
        to: [updateSubscribers ? subscriber : { subscriberId }],
        // Keep a payload of another type; the schema reports it.
        payload: sentPayload,
        ...(transactionId === undefined ? {} : { transactionId }),
      },
    };
  };
  const sender = createEventSender({
    transactionId,
    schema: triggerEvent,
    toEvent,
    hasExactNumbers: containsExactNumber(event),
  });
  const subscriberOf = createSubscriberReader(columns);
  return {
    ...sender,
    subscriberOf,
    recipientsOf: (record) => listIds([subscriberOf(record)]),
    hint: () => localPhones?.hint(),
  };
}

/** Converts recipients to the list of objects that the API requires. A file may contain one recipient, or only its id. */
function normalizeRecipients(event: Record<string, unknown>): Record<string, unknown> {
  const { to } = event;
  if (Array.isArray(to)) return { ...event, to: to.map(toRecipient) };
  return typeof to === 'string' || isObject(to) ? { ...event, to: [toRecipient(to)] } : event;
}

const toRecipient = (recipient: unknown) =>
  typeof recipient === 'string' ? { subscriberId: recipient } : recipient;

const removeRejectColumns = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !rejectColumns.has(name)));

function createEventSender({
  transactionId,
  schema,
  toEvent,
  hasExactNumbers,
}: EventSenderOptions): Sender {
  const seenIds = new Set<string>();
  const explicitId = (record: InputRecord) => {
    const { transactionId } = record.value ?? {};
    return typeof transactionId === 'string' ? trimSpaces(transactionId) : undefined;
  };
  const checkedEvent = (record: InputRecord) => {
    const converted = toEvent(record);
    if ('error' in converted) return converted;
    const { event: trimmed, problem } = trimEventIds(converted.event);
    if (problem !== undefined) return { error: problem };
    const event = { payload: {}, ...trimmed };
    const checked = schema.safeParse(event, withPlainMessages);
    return checked.success ? { event } : { error: formatIssues(checked.error) };
  };
  return {
    operation: 'triggerEvents',
    successStates: ['triggered'],
    isOrdered: false,
    frame: { open: '{"events":[', close: ']}' },
    toItem(record, row): Item | { error: string } {
      const ownId = explicitId(record);
      // The service responds with `processed` to a repeated id and silently drops the event.
      if (ownId !== undefined && seenIds.has(ownId)) {
        return { error: `transactionId: \`${ownId}\` is already used by an earlier row` };
      }
      const checked = checkedEvent(record);
      if ('error' in checked) return checked;
      const { event } = checked;
      const isExact = record.hasLongNumbers || hasExactNumbers;
      const json = isExact ? stringifyExact(event) : JSON.stringify(event);
      if (ownId !== undefined) {
        seenIds.add(ownId);
        return { id: ownId, json };
      }
      const id = transactionId(row, json);
      return { id, json: `${json.slice(0, -1)},"transactionId":${JSON.stringify(id)}}` };
    },
    // An invalid row did not use its id.
    onFinishedRow(record) {
      const ownId = explicitId(record);
      if (ownId !== undefined && 'event' in checkedEvent(record)) seenIds.add(ownId);
    },
    hasExplicitIds: () => seenIds.size > 0,
    findExisting: (client, items, sampleOnly) =>
      findExistingEvents(client, items, { sampleOnly, isExplicit: (id) => seenIds.has(id) }),
    readOutcomes: ({ value }, items) => readEventOutcomes(value, items),
  };
}

/** The response has one result per event, in order. A result that may belong to another event decides nothing. */
function readEventOutcomes(response: unknown, items: readonly Item[]): Outcome[] {
  const results: unknown[] = Array.isArray(response) ? response : [];
  const isComplete = results.length === items.length;
  return items.map(({ id }, index): Outcome => {
    const result = results[index];
    const status = isObject(result) ? nonEmptyText(result.status) : undefined;
    if (!isObject(result) || status === undefined) return { state: 'unknown' };
    const reason = foreignResult(id, result);
    if (reason !== undefined) return { state: 'unknown', reason };
    if (!isComplete && result.transactionId !== id) return { state: 'unknown' };
    if (status === 'processed') return { state: 'triggered' };
    const message = toMessage(result.error);
    return { state: 'failed', reason: message === undefined ? status : `${status}: ${message}` };
  });
}

const eventIdFields = ['to', 'actor', 'tenant', 'transactionId'] as const;
const nestedIdFields = ['subscriberId', 'topicKey', 'exclude', 'identifier', 'id'] as const;

/**
 * Removes spaces around the ids in an event: recipients, actor, tenant, contexts, transaction. `problem` describes the
 * first invalid id. Keeps values of another type; the schema reports them.
 */
function trimEventIds(event: Record<string, unknown>) {
  let problem: string | undefined;
  const trimId = (id: string, name: string) => {
    const trimmed = trimSpaces(id);
    const found = findIdProblem(trimmed);
    if (found !== undefined) problem ??= `${name}: ${found}`;
    return trimmed;
  };
  const trimIds = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return trimId(value, name);
    if (Array.isArray(value)) return value.map((element) => trimIds(element, name));
    return isObject(value) && !isExactNumber(value)
      ? { ...value, ...trimMembers(value, nestedIdFields) }
      : value;
  };
  const trimMembers = (object: Record<string, unknown>, names: readonly string[]) =>
    Object.fromEntries(
      names
        .filter((name) => Object.hasOwn(object, name))
        .map((name) => [name, trimIds(object[name], name)]),
    );
  const { context } = event;
  const trimmed = {
    ...event,
    ...trimMembers(event, eventIdFields),
    ...(isObject(context) ? { context: trimMembers(context, Object.keys(context)) } : {}),
  };
  return { event: trimmed, problem };
}

// Finds the events of a batch that the service already has, and those whose ids it has for other events.

/** An event to a topic has one entry for each subscriber; the first ones are enough. */
const maxItems = 500;

/** `isGiven`: the id comes from the input, so that it does not say what the event contains. */
async function findExistingEvents(
  client: Client,
  items: readonly UnsentItem[],
  { sampleOnly, isExplicit }: { sampleOnly: boolean; isExplicit: (id: string) => boolean },
): Promise<ExistingRows> {
  const ids = new Set<string>();
  const size = limits.valuesPerParameter;
  const last = sampleOnly ? Math.min(items.length, size) : items.length;
  for (let start = 0; start < last; start += size) {
    const group = new Map(items.slice(start, start + size).map((item) => [item.id, item]));
    const query = { transactionId: [...group.keys()] };
    const limit = sampleOnly ? limits.page.activity : maxItems;
    for await (const page of pages(client, 'listActivity', { query }, { limit })) {
      for (const event of page.items) {
        const item = group.get(event.transactionId);
        if (!item) continue;
        if (isExplicit(item.id) && !isSameEvent(JSON.parse(item.json()), event))
          return {
            conflict: `the service already has another event with transaction id ${item.id}, so it would drop this one`,
          };
        ids.add(item.id);
      }
      if (group.size > 0 && [...group.keys()].every((id) => ids.has(id))) break;
    }
  }
  return { ids };
}

/** Compares what the activity shows of an event: workflow, recipient and plain values of the payload. */
function isSameEvent(sent: unknown, { template, subscriber, payload }: ActivityItem): boolean {
  const { name, to, payload: sentPayload } = asObject(sent);
  const workflow = template?.triggers?.[0]?.identifier;
  if (workflow !== undefined && workflow !== name) return false;
  const recipients = [to].flat().map((recipient) => asObject(recipient).subscriberId);
  const hasTopic = recipients.includes(undefined);
  if (subscriber && !hasTopic && !recipients.includes(subscriber.subscriberId)) return false;
  return Object.entries(asObject(sentPayload)).every(([key, value]) => {
    const stored = asObject(payload)[key];
    return stored === undefined || isObject(value) || Array.isArray(value) || stored === value;
  });
}
