// Reads named fields from the rows of an input: columns of a CSV file, or members of JSON objects.
import { usageError } from '../../core/errors.ts';
import { trimSpaces } from '../../core/whitespace.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import { normalizeName, rejectColumns } from './columns.ts';

export type FieldReader<Field extends string> = (
  record: InputRecord,
) => Partial<Record<Field, unknown>> | { error: string };

/** Throws a usage error for unknown columns, and for a missing required one. Empty cells are absent. */
export function createFieldReader<Field extends string>(
  { header, name }: RecordSource,
  fields: readonly Field[],
  required: Field,
): FieldReader<Field> {
  if (!header) return ({ value = {} }) => fromObject(value, fields);
  const findField = (column: string) =>
    fields.find((field) => normalizeName(field) === normalizeName(column));
  const columns = header.map((column) => {
    const field = findField(column);
    if (field !== undefined || rejectColumns.has(column)) return field;
    throw usageError(`${name} has an unknown column \`${column}\`.`, {
      suggestion: { input: column, candidates: fields },
      hint: `The columns are ${fields.join(', ')}.`,
    });
  });
  if (!columns.includes(required))
    throw usageError(`${name} has no column ${required}.`, {
      hint: `The columns are ${fields.join(', ')}.`,
    });
  return (record) => {
    const row: Partial<Record<Field, unknown>> = {};
    for (const [index, cell] of (record.cells?.() ?? []).entries()) {
      const field = columns[index];
      const text = trimSpaces(cell);
      if (field !== undefined && text !== '') row[field] = text;
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
