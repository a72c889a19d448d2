// CSV cells → an object: fields of a subscriber, and members of `data` or of a payload beside them.
import { trimWhitespace } from '../../core/whitespace.ts';
import type { ColumnMap } from './subscriber-columns.ts';

export interface CellChoices {
  /** Numbers, true, false and null in data and payload become JSON values. */
  infer: boolean;
  /** An empty cell clears the field instead of saying nothing about it. */
  clear: boolean;
}

/** `{…fields, data: {…}, payload: {…}}`, the last two only where there is something in them. */
export function fromCells(
  cells: readonly string[],
  columns: ColumnMap,
  { infer, clear }: CellChoices,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { index, field, place } of columns) {
    const given = cells[index];
    if (given === undefined) continue;
    const cell = place === 'field' && trimmedFields.has(field) ? trimWhitespace(given) : given;
    if (place === 'field') {
      if (cell !== '') value[field] = cell;
      else if (clear && field !== 'subscriberId') value[field] = null;
      continue;
    }
    if (cell === '' && !clear) continue;
    const inner = (value[place] as Record<string, unknown> | undefined) ?? {};
    value[place] = inner;
    setMember(inner, field, cell === '' ? null : infer ? inferred(cell) : cell);
  }
  return value;
}

/** Blanks around an id or an address are none of it, in any form of input. */
export const trimmedFields: ReadonlySet<string> = new Set(['subscriberId', 'email']);

/** Also `__proto__` is a name like any other. */
export function setMember(into: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') into[name] = value;
  else Object.defineProperty(into, name, { value, enumerable: true, writable: true });
}

const words: Record<string, unknown> = { true: true, false: false, null: null };

/** What a cell would be in JSON; text where that would change it, as `007` and `1e21`. */
export function inferred(cell: string): unknown {
  if (Object.hasOwn(words, cell)) return words[cell];
  const number = Number(cell);
  return /^-?\d/.test(cell) && String(number) === cell ? number : cell;
}
