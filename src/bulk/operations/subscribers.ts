// Importing subscribers: CSV cells or JSON objects → checked items.
import type { z } from 'zod';
import { operations } from '../../api/operations/index.ts';
import { plainMessages } from '../../api/schemas/plain-messages.ts';
import { exactText } from '../../core/lossless-json.ts';
import { trimWhitespace } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import type { Plan } from '../engine/plan.ts';
import { requireId } from './column-errors.ts';
import { settleImport } from './import-outcomes.ts';
import { refuseMap } from './map-option.ts';
import { complaint, isObject } from './responses.ts';
import { compileCells } from './row-encoder.ts';
import { type CellChoices, fromCells, setMember, trimmedFields } from './row-mapper.ts';
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

/** Where the cells go; undefined for JSON and for an empty CSV. The one column of a plain list is the id. */
export function columnsOf(
  { format, header, name }: RecordSource,
  { map = [], dataColumn = [], dataRest = false }: FieldChoices,
  more: { payload?: boolean } = {},
): ColumnMap | undefined {
  const names = format === 'lines' ? ['subscriberId'] : header;
  if (!names) {
    if (format !== 'csv') refuseMap(map, name);
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
      const checked = schema.safeParse(value, plainMessages);
      if (!checked.success) return { error: rowComplaint(checked.error) };
      return {
        id: String(value.subscriberId),
        json: record.hasLongNumbers ? exactText(value) : JSON.stringify(value),
      };
    },
    settle: ({ value }, items) => settleImport(value, items),
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
    const own =
      trimmedFields.has(name) && typeof member === 'string' ? trimWhitespace(member) : member;
    setMember(!dataRest || fields.has(name) ? value : rest, name, own);
  }
  // `data` of another kind stays, for the schema to complain of.
  const own = value.data ?? {};
  if (Object.keys(rest).length > 0 && isObject(own)) value.data = { ...own, ...rest };
  return value;
}

/** What is in no columns and has no error is an object. */
export const objectOf = ({ value }: InputRecord) => value as Record<string, unknown>;
