// Triggering many events: a file of events, or one event for each row of a file of recipients.
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { operations } from '../../api/operations/index.ts';
import { plainMessages } from '../../api/schemas/plain-messages.ts';
import { usageError } from '../../core/errors.ts';
import { exactText, hasExact } from '../../core/lossless-json.ts';
import { trimWhitespace } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Item, Outcome, Plan } from '../engine/plan.ts';
import { givenIdKeeper } from '../journal/explicit-ids.ts';
import { withTrimmedIds } from './event-ids.ts';
import { complaint, isObject, messageOf, textOf } from './responses.ts';
import { fromCells } from './row-mapper.ts';
import { rejectColumns } from './subscriber-columns.ts';
import { cellChoices, columnsOf, type FieldChoices, fromObject, objectOf } from './subscribers.ts';

interface EventPlanOptions {
  runId: string;
  /** The schema of one event. */
  schema: z.ZodType;
  /** The event of a record, without a transaction id unless the record has one. */
  eventOf: (record: InputRecord) => Record<string, unknown>;
  /** Told the ids that cannot be derived again, before they are sent. */
  keep: (row: number, transactionId: string) => void;
  /** What is the same in every event has numbers that a double cannot hold. */
  exact?: boolean;
}

/** Events as they stand in an input of JSON objects. */
export async function openEventPlan(
  { format, header, name }: RecordSource,
  runId: string,
  folder: string | undefined,
): Promise<Plan> {
  if (header || format === 'lines') {
    throw usageError(
      `${name} is ${header ? 'CSV' : 'a plain list'}: events are NDJSON or a JSON array.`,
      {
        hint: 'To trigger one event per row of a CSV file, name the workflow and pass the file with --recipients.',
      },
    );
  }
  const { triggerEvent } = await import('../../api/schemas/events.ts');
  const eventOf = (record: InputRecord) => withRecipientList(withoutMarks(objectOf(record)));
  return eventPlan({ runId, schema: triggerEvent, eventOf, keep: keeperIn(folder) });
}

export interface RecipientChoices extends FieldChoices {
  /** Columns of subscriber fields are sent and change the subscriber. */
  updateSubscribers?: boolean;
}

/** One event for each row: the same content, and what the row adds to the payload. */
export async function openRecipientPlan(
  source: RecordSource,
  runId: string,
  folder: string | undefined,
  event: { name: string; payload: object },
  choices: RecipientChoices,
): Promise<Plan> {
  const { triggerEvent } = await import('../../api/schemas/events.ts');
  const { dataRest = false, updateSubscribers } = choices;
  const columns = columnsOf(source, choices, { payload: true });
  const cells = cellChoices(choices);
  const rowOf = (record: InputRecord): Record<string, unknown> => {
    if (record.cells && columns) return fromCells(record.cells, columns, cells);
    const { payload, transactionId, ...row } = objectOf(record);
    return { ...fromObject(row, dataRest), payload, transactionId };
  };
  const eventOf = (record: InputRecord) => {
    const { payload = {}, transactionId, ...subscriber } = rowOf(record);
    const { subscriberId } = subscriber;
    return {
      ...event,
      to: [updateSubscribers ? subscriber : { subscriberId }],
      // A payload of another kind stays, for the schema to complain of.
      payload: isObject(payload) ? { ...event.payload, ...payload } : payload,
      ...(transactionId === undefined ? {} : { transactionId }),
    };
  };
  const exact = hasExact(event);
  return eventPlan({ runId, schema: triggerEvent, eventOf, keep: keeperIn(folder), exact });
}

/** The interface takes a list of recipient objects; a file may name one recipient, and by its id alone. */
function withRecipientList(event: Record<string, unknown>): Record<string, unknown> {
  const { to } = event;
  if (Array.isArray(to)) return { ...event, to: to.map(asObject) };
  return typeof to === 'string' || isObject(to) ? { ...event, to: [asObject(to)] } : event;
}

const asObject = (recipient: unknown) =>
  typeof recipient === 'string' ? { subscriberId: recipient } : recipient;

const withoutMarks = (value: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !rejectColumns.has(name)));

/** Into the run's folder, so that `events cancel --run` finds the ids again. */
const keeperIn = (folder: string | undefined): EventPlanOptions['keep'] =>
  folder === undefined ? () => undefined : givenIdKeeper(folder);

/** Derived, so that a run that is resumed or cancelled knows it again; never from the content of the row. */
export const transactionIdOf = (runId: string, row: number) =>
  `txn_${createHash('sha256').update(`${runId}\n${row}`).digest('hex').slice(0, 24)}`;

function eventPlan({ runId, schema, eventOf, keep, exact }: EventPlanOptions): Plan {
  const met = new Set<string>();
  const given = (record: InputRecord) => {
    const { transactionId } = record.value ?? {};
    return typeof transactionId === 'string' ? trimWhitespace(transactionId) : undefined;
  };
  const eventWith = (record: InputRecord, transactionId: string) => ({
    payload: {},
    transactionId,
    ...withTrimmedIds(eventOf(record)),
  });
  return {
    operation: 'triggerEvents',
    words: ['triggered'],
    ordered: false,
    target: () => operations.triggerEvents.path,
    frame: { open: '{"events":[', close: ']}' },
    itemOf(record, row): Item | { error: string } {
      const own = given(record);
      // The service answers `processed` to a repeated id and drops the event without a word.
      if (own !== undefined && met.has(own)) {
        return { error: `transactionId: \`${own}\` stands in an earlier row` };
      }
      const id = own ?? transactionIdOf(runId, row);
      const event = eventWith(record, id);
      const checked = schema.safeParse(event, plainMessages);
      if (!checked.success) return { error: complaint(checked.error) };
      if (own !== undefined) {
        met.add(own);
        keep(row, own);
      }
      return {
        id,
        json: record.hasLongNumbers || exact ? exactText(event) : JSON.stringify(event),
      };
    },
    // What was not valid has not taken its id.
    passedOver(record) {
      const own = given(record);
      if (own !== undefined && schema.safeParse(eventWith(record, own)).success) met.add(own);
    },
    settle: ({ value }, items) => settle(value, items),
  };
}

/** One result for each event, in order. A result that is of another event, or may be, says nothing. */
function settle(answer: unknown, items: readonly Item[]): Outcome[] {
  const results: unknown[] = Array.isArray(answer) ? answer : [];
  const sent = new Set<unknown>(items.map(({ id }) => id));
  const isComplete = results.length === items.length;
  return items.map(({ id }, index): Outcome => {
    const found = results[index];
    const status = isObject(found) ? textOf(found.status) : undefined;
    if (!isObject(found) || status === undefined) return { state: 'unknown' };
    const { transactionId, error } = found;
    const isOwn = transactionId === id || (isComplete && !sent.has(transactionId));
    if (!isOwn) return { state: 'unknown' };
    if (status === 'processed') return { state: 'triggered' };
    const why = messageOf(error);
    return { state: 'failed', why: why === undefined ? status : `${status}: ${why}` };
  });
}
