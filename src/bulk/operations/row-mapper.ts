// Maps CSV cells to an object with the fields of a subscriber and, if present, `data` and `payload`.
import { isExactNumber, mayContainExactNumber } from '../../core/lossless-json.ts';
import { parseValues } from '../../core/lossless-json-parser.ts';
import { asObject, isObject } from '../../core/objects.ts';
import { trimSpaces, trimWhitespace } from '../../core/whitespace.ts';
import { assign, setProperty } from '../../input/assignments.ts';
import { type ColumnMap, dataObjectColumn } from './columns.ts';

export interface CellOptions {
  /** Convert numbers, true, false and null in data and payload to JSON values. */
  infer: boolean;
  /** Send null for an empty cell instead of omitting the field. */
  clearEmpty: boolean;
}

/** Returns `{…fields, data: {…}, payload: {…}}`. Omits `data` and `payload` if they are empty. */
export function mapCells(
  cells: readonly string[],
  columns: ColumnMap,
  { infer, clearEmpty }: CellOptions,
): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  for (const { index, field, place, path } of columns) {
    const raw = cells[index];
    if (raw === undefined) continue;
    const cell = place === 'field' ? trimField(field, raw) : raw;
    if (field === dataObjectColumn && place === 'field') {
      addDataObject(value, cell, clearEmpty);
      continue;
    }
    if (place === 'field') {
      if (cell !== '') value[field] = cell;
      else if (clearEmpty && field !== 'subscriberId') value[field] = null;
      continue;
    }
    if (cell === '' && !clearEmpty) continue;
    const nested = isObject(value[place]) ? value[place] : {};
    value[place] = nested;
    const member = cell === '' ? null : infer ? inferValue(cell) : cell;
    if (path) assign(nested, path, member);
    else setProperty(nested, field, member);
  }
  return value;
}

/** Adds the members of a cell with a JSON object. Keeps other text, which the schema reports. */
function addDataObject(value: Record<string, unknown>, cell: string, clearEmpty: boolean): void {
  if (cell.trim() === '') {
    if (clearEmpty) value.data ??= null;
    return;
  }
  const parsed = parseJson(cell);
  value.data = isObject(parsed) ? mergeObjects(asObject(value.data), parsed) : parsed;
}

/** The members of both objects, and of the objects in them. The second object takes precedence. */
export function mergeObjects(
  first: Record<string, unknown>,
  second: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...first };
  for (const [name, member] of Object.entries(second)) {
    const other = Object.hasOwn(merged, name) ? merged[name] : undefined;
    const isNested = [other, member].every((value) => isObject(value) && !isExactNumber(value));
    setProperty(merged, name, isNested ? mergeObjects(asObject(other), asObject(member)) : member);
  }
  return merged;
}

function parseJson(text: string): unknown {
  try {
    return mayContainExactNumber(text) ? parseValues(text) : JSON.parse(text);
  } catch {
    return text;
  }
}

/** Removes spaces around ids, and also invisible characters around addresses, in every input format. */
export function trimField(field: string, text: string): string {
  if (field === 'subscriberId') return trimSpaces(text);
  return field === 'email' || field === 'phone' ? trimWhitespace(text) : text;
}

const literals: Record<string, unknown> = { true: true, false: false, null: null };

/** Converts a cell to a JSON value. Keeps the string if conversion would change the text, such as `007` or `1e21`. */
export function inferValue(cell: string): unknown {
  if (Object.hasOwn(literals, cell)) return literals[cell];
  const number = Number(cell);
  return /^-?\d/.test(cell) && String(number) === cell ? number : cell;
}
