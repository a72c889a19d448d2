// Reads named fields from the rows of an input: columns of a CSV file, or members of JSON objects.

import { usageError } from '../../core/errors.ts';
import { jsonOr } from '../../core/objects.ts';
import { trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { normalizeName, rejectColumns } from './columns.ts';

export type FieldReader<Field extends string> = (
  record: InputRecord,
) => Partial<Record<Field, unknown>> | { error: string };

/** Throws a usage error for unknown columns, and for a missing required one. Empty cells are absent. */
export function createFieldReader<Field extends string>(
  { header, name, fieldColumns = new Map(), otherColumns = new Set() }: RecordSource,
  fields: readonly Field[],
  required: Field,
): FieldReader<Field> {
  if (!header) return ({ value = {} }) => fromObject(value, fields);
  const hint = `The columns are ${fields.join(', ')}. Name another column with --map <field>=<column>.`;
  const fieldsOfColumn = (column: string) => {
    const named = fields.find((field) => normalizeName(field) === normalizeName(column));
    return fields.filter((field) =>
      fieldColumns.has(field) ? fieldColumns.get(field) === column : field === named,
    );
  };
  const isIgnored = (column: string) =>
    column === '' || rejectColumns.has(column) || otherColumns.has(column);
  const isField = (column: string) =>
    fields.some((field) => normalizeName(field) === normalizeName(column));
  const columns = header.map((column) => {
    const filled = fieldsOfColumn(column);
    if (filled.length > 0 || isIgnored(column) || isField(column)) return filled;
    throw usageError(`${name} has an unknown column \`${column}\`.`, {
      suggestion: { input: column, candidates: fields },
      hint,
    });
  });
  if (!columns.flat().includes(required))
    throw usageError(`${name} has no column ${required}.`, { hint });
  return (record) => {
    const row: Partial<Record<Field, unknown>> = {};
    for (const [index, cell] of (record.cells?.() ?? []).entries()) {
      const text = trimSpaces(cell);
      if (text !== '') for (const field of columns[index] ?? []) row[field] = text;
    }
    return row;
  };
}

function fromObject<Field extends string>(value: object, fields: readonly Field[]) {
  const row: Partial<Record<Field, unknown>> = {};
  for (const [key, member] of Object.entries(value)) {
    const field = fields.find((name) => normalizeName(name) === normalizeName(key));
    if (field === undefined && !rejectColumns.has(key)) return { error: `${key}: is not known` };
    if (field !== undefined && member !== null && member !== '') row[field] = member;
  }
  return row;
}

/** A list, or the parts of a cell that are separated by commas. */
export const toList = (value: unknown = []): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map(trimSpaces)
        .filter((part) => part !== '')
    : value;

/** The value of a member of JSON, or of a cell that contains JSON; undefined for an empty one. */
export function jsonCell(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  return typeof value === 'string' ? jsonOr(value, value) : value;
}
