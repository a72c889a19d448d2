// Importing subscribers: CSV cells or JSON objects → checked items; the answer's lists → outcomes.
import type { z } from 'zod';
import { operations } from '../../api/operations/index.ts';
import { exactText } from '../../exact-numbers.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Outcome, Plan } from '../plan.ts';
import { complaint, isObject, listAt, type Named } from './answers.ts';
import { type CellChoices, fromCells, setMember } from './cells.ts';
import { requireId } from './column-mistakes.ts';
import { compileCells } from './fast-cells.ts';
import { refuseMap } from './map-option.ts';
import {
  type ColumnMap,
  mapColumns,
  rejectColumns,
  subscriberFields,
} from './subscriber-columns.ts';

/** How cells and keys become fields, as the options say. */
export interface FieldChoices {
  map?: readonly string[];
  dataColumn?: readonly string[];
  dataRest?: boolean;
  infer?: boolean;
  empty?: 'skip' | 'null';
}

/** The plan for an input. An input without a column for the id, or with an unknown one, ends with usage. */
export async function openSubscriberPlan(
  source: RecordSource,
  choices: FieldChoices,
): Promise<Plan> {
  const { subscriberRow } = await import('../../api/schemas/subscribers.ts');
  const { dataRest = false } = choices;
  const columns = columnsOf(source, choices);
  return subscriberPlan({
    schema: subscriberRow,
    dataRest,
    cells: cellChoices(choices),
    ...(columns ? { columns } : {}),
  });
}

/** Where the cells go; undefined for JSON. The one column of a plain list is the id. */
export function columnsOf(
  { format, header, name }: RecordSource,
  { map = [], dataColumn = [], dataRest = false }: FieldChoices,
  more: { payload?: boolean } = {},
): ColumnMap | undefined {
  const names = format === 'lines' ? ['subscriberId'] : header;
  if (!names) {
    refuseMap(map, name);
    return undefined;
  }
  const choices = { map, dataColumns: dataColumn, dataRest, name, ...more };
  const columns = mapColumns(names, choices);
  requireId(columns, names, name);
  return columns;
}

export const cellChoices = ({ infer, empty }: FieldChoices): CellChoices => ({
  infer: infer === true,
  clear: empty === 'null',
});

export interface SubscriberPlanOptions {
  /** The schema of one row. */
  schema: z.ZodType;
  /** Where CSV cells go; absent for JSON. */
  columns?: ColumnMap;
  /** Unknown keys of JSON rows go to `data` instead of making the row invalid. */
  dataRest: boolean;
  cells: CellChoices;
}

const fields = new Set([...subscriberFields, 'data', 'channels']);

export function subscriberPlan({ schema, columns, dataRest, cells }: SubscriberPlanOptions): Plan {
  const fast = columns && compileCells(columns, cells);
  const rowOf = (record: InputRecord): Record<string, unknown> =>
    record.cells && columns
      ? fromCells(record.cells, columns, cells)
      : fromObject(objectOf(record), dataRest);
  return {
    operation: 'bulkCreateSubscribers',
    words: ['created', 'updated'],
    ordered: true,
    target: () => operations.bulkCreateSubscribers.path,
    frame: { open: '{"subscribers":[', close: ']}' },
    itemOf(record) {
      const item = fast && record.cells && fast(record.cells, record.latin);
      if (item) return item;
      const value = rowOf(record);
      const checked = schema.safeParse(value);
      if (!checked.success) return { error: rowComplaint(checked.error) };
      return {
        id: String(value.subscriberId),
        json: record.exact ? exactText(value) : JSON.stringify(value),
      };
    },
    settle: ({ value }, items) => settle(value, items),
  };
}

/** Says of a key that is no field what can be done about it, as for a column. */
function rowComplaint(error: z.ZodError): string {
  const isUnknownKey = error.issues.some(
    ({ code, path }) => code === 'unrecognized_keys' && path.length === 0,
  );
  return isUnknownKey
    ? `${complaint(error)} (custom data goes into data, or there with --data-rest)`
    : complaint(error);
}

export function fromObject(
  row: Record<string, unknown>,
  dataRest: boolean,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(row)) {
    if (rejectColumns.has(name)) continue;
    setMember(!dataRest || fields.has(name) ? value : rest, name, member);
  }
  // `data` of another kind stays, for the schema to complain of.
  const own = value.data ?? {};
  if (Object.keys(rest).length > 0 && isObject(own)) value.data = { ...own, ...rest };
  return value;
}

/** What is in no columns and has no error is an object. */
export const objectOf = ({ value }: InputRecord) => value as Record<string, unknown>;

/** An id sent twice is first created and then updated, so its occurrences are matched in that order. */
function settle(answer: unknown, items: readonly { id: string }[]): Outcome[] {
  const lists = { created: listAt(answer, 'created'), updated: listAt(answer, 'updated') };
  for (const state of ['created', 'updated'] as const) {
    if (isSame(lists[state], items)) return Array<Outcome>(items.length).fill({ state });
  }
  const created = countIds(lists.created);
  const updated = countIds(lists.updated);
  const complaints = new Map<string, string[]>();
  for (const { subscriberId = '', message } of listAt(answer, 'failed')) {
    const own = complaints.get(subscriberId) ?? [];
    complaints.set(subscriberId, [...own, message ?? 'the service gave no reason']);
  }
  return items.map(({ id }): Outcome => {
    if (takeOne(created, id)) return { state: 'created' };
    if (takeOne(updated, id)) return { state: 'updated' };
    const why = complaints.get(id)?.shift();
    return why === undefined ? { state: 'unknown' } : { state: 'failed', why };
  });
}

/** Mostly a batch has one outcome, its ids named in the order in which they were sent. */
const isSame = (named: readonly Named[], items: readonly { id: string }[]) =>
  named.length === items.length &&
  items.every(({ id }, index) => named[index]?.subscriberId === id);

function countIds(named: readonly Named[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subscriberId = '' } of named)
    counts.set(subscriberId, (counts.get(subscriberId) ?? 0) + 1);
  return counts;
}

function takeOne(counts: Map<string, number>, id: string): boolean {
  const left = counts.get(id) ?? 0;
  if (left > 0) counts.set(id, left - 1);
  return left > 0;
}
