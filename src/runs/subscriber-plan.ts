// Importing subscribers: CSV cells or JSON objects → checked items; the answer's lists → outcomes.
import type { z } from 'zod';
import { operations } from '../api/operations/index.ts';
import { usageError } from '../errors.ts';
import type { InputRecord } from '../input/records.ts';
import type { Outcome, Plan } from './plan.ts';
import { type ColumnMap, rejectColumns, subscriberFields } from './subscriber-columns.ts';

export interface SubscriberPlanOptions {
  /** The schema of one row. */
  schema: z.ZodType;
  /** Where CSV cells go; absent for JSON. */
  columns?: ColumnMap;
  /** Unknown keys of JSON rows go to `data` instead of making the row invalid. */
  dataRest: boolean;
}

const fields = new Set([...subscriberFields, 'data', 'channels']);

export function subscriberPlan({ schema, columns, dataRest }: SubscriberPlanOptions): Plan {
  const rowOf = (record: InputRecord): Record<string, unknown> => {
    if (record.cells && columns) return fromCells(record.cells, columns);
    return fromObject(record.value ?? {}, dataRest);
  };
  return {
    operation: 'bulkCreateSubscribers',
    target: operations.bulkCreateSubscribers.path,
    member: 'subscribers',
    itemOf(record) {
      const value = rowOf(record);
      const checked = schema.safeParse(value);
      if (!checked.success) return { error: complaint(checked.error) };
      return { id: String(value.subscriberId), json: JSON.stringify(value) };
    },
    settle,
  };
}

function fromCells(cells: readonly string[], columns: ColumnMap): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  let data: Record<string, unknown> | undefined;
  for (const { index, field, inData } of columns) {
    const cell = cells[index];
    // An empty cell says nothing about the field.
    if (cell === undefined || cell === '') continue;
    if (!inData) value[field] = cell;
    else {
      data ??= {};
      data[field] = cell;
    }
  }
  if (data) value.data = data;
  return value;
}

function fromObject(row: Record<string, unknown>, dataRest: boolean): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(row)) {
    if (rejectColumns.has(name)) continue;
    if (!dataRest || fields.has(name)) value[name] = member;
    else rest[name] = member;
  }
  if (Object.keys(rest).length > 0) {
    const own = typeof value.data === 'object' && value.data !== null ? value.data : {};
    value.data = { ...own, ...rest };
  }
  return value;
}

function complaint({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
}

/** An id sent twice is first created and then updated, so its occurrences are matched in that order. */
function settle(answer: unknown, ids: readonly string[]): Outcome[] {
  const { created, updated, failed } = listsOf(answer);
  const counts = { created: countIds(created), updated: countIds(updated) };
  const complaints = new Map<string, string[]>();
  for (const { subscriberId, message } of failed) {
    const id = subscriberId ?? '';
    complaints.set(id, [...(complaints.get(id) ?? []), message ?? 'the service gave no reason']);
  }
  return ids.map((id): Outcome => {
    if (takeOne(counts.created, id)) return { state: 'created' };
    if (takeOne(counts.updated, id)) return { state: 'updated' };
    const why = complaints.get(id)?.shift();
    return why === undefined ? { state: 'unknown' } : { state: 'failed', why };
  });
}

interface Named {
  subscriberId?: string;
  message?: string;
}

function listsOf(answer: unknown): Record<'created' | 'updated' | 'failed', Named[]> {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  const listAt = (name: string) => (Array.isArray(body[name]) ? (body[name] as Named[]) : []);
  return { created: listAt('created'), updated: listAt('updated'), failed: listAt('failed') };
}

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

/** Refuses an input without the one column that must be there. */
export function requireId(columns: ColumnMap, name: string): void {
  if (columns.some(({ field, inData }) => field === 'subscriberId' && !inData)) return;
  throw usageError(`${name} has no column for subscriberId.`, {
    hint: 'Name the column that holds it with --map subscriberId=<column>.',
  });
}
