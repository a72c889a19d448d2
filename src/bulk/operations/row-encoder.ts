// Fast path: encodes CSV cells directly as the JSON of a subscriber, without an object in between. Rows that need
// conversion or may be invalid take the slow path through the schema, which reports what is wrong.
import { isEmailAddress, isLocale, isTimeZone } from '../../api/schemas/values.ts';
import { isTrimmed } from '../../core/whitespace.ts';
import type { Item } from '../engine/plan.ts';
import { type ColumnMap, dataObjectColumn } from './columns.ts';
import { type CellOptions, inferValue } from './row-mapper.ts';

interface CellWriter {
  index: number;
  /** `,"firstName":` */
  name: string;
  isValid: (cell: string) => boolean;
}

const isAlwaysValid = () => true;

/** Fields with a restricted format. All other fields accept any text. */
const validators: Record<string, (cell: string) => boolean> = {
  email: (cell) => isTrimmed(cell) && isEmailAddress(cell),
  phone: isTrimmed,
  locale: memoizeCheck(isLocale),
  timezone: isTimeZone,
  // The slow path reads the JSON object.
  [dataObjectColumn]: () => false,
};

/** Index of the column with the id; -1 if no column contains it. */
const findIdColumn = (columns: ColumnMap): number =>
  columns.reduce(
    (found, { index, field, place }) =>
      field === 'subscriberId' && place === 'field' ? index : found,
    -1,
  );

/** `isFinalPhone` is false for phone numbers to convert. The encoder returns undefined for rows that must take the slow path. */
export function compileRowEncoder(
  columns: ColumnMap,
  { infer, clearEmpty }: CellOptions,
  isFinalPhone?: (cell: string) => boolean,
): (cells: readonly string[], isPlain?: boolean) => Item | undefined {
  const fieldValidators = isFinalPhone ? { ...validators, phone: isFinalPhone } : validators;
  const writers = (place: string): CellWriter[] =>
    columns
      .filter((column) => column.place === place && column.field !== 'subscriberId')
      .map(({ index, field }) => ({
        index,
        name: `,${JSON.stringify(field)}:`,
        isValid: place === 'field' ? (fieldValidators[field] ?? isAlwaysValid) : isAlwaysValid,
      }));
  const fields = writers('field');
  const data = writers('data');
  const idAt = findIdColumn(columns);
  // With --infer, the type of custom data depends on the cell.
  const dataValue = infer ? (cell: string) => JSON.stringify(inferValue(cell)) : undefined;

  return (cells, isPlain) => {
    // One test of the whole record instead of one per cell.
    const text = isPlain ? quoteUnescaped : quoteCell;
    const value = dataValue ?? text;
    const subscriberId = cells[idAt];
    if (subscriberId === undefined || !isTrimmed(subscriberId)) return undefined;
    let json = `{"subscriberId":${text(subscriberId)}`;
    for (const { index, name, isValid } of fields) {
      const cell = cells[index];
      if (cell === undefined || cell === '') {
        if (clearEmpty) return undefined;
        continue;
      }
      if (!isValid(cell)) return undefined;
      json += name + text(cell);
    }
    let dataMembers = '';
    for (const { index, name } of data) {
      const cell = cells[index];
      if (cell === undefined || cell === '') {
        if (clearEmpty) return undefined;
        continue;
      }
      dataMembers += name + value(cell);
    }
    // Each member starts with a comma; remove that of the first member of `data`.
    json += dataMembers === '' ? '}' : `,"data":{${dataMembers.slice(1)}}}`;
    return { id: subscriberId, json };
  };
}

/** Printable ASCII characters that JSON does not escape. */
const unescapedText = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const quoteUnescaped = (text: string) => `"${text}"`;

/** Encodes a cell as a JSON string. Most cells need no escapes. */
const quoteCell = (text: string): string =>
  unescapedText.test(text) ? `"${text}"` : JSON.stringify(text);

const maxMemoized = 1_000;

/** Caches results, because few different values occur. */
function memoizeCheck(check: (text: string) => boolean): (text: string) => boolean {
  const results = new Map<string, boolean>();
  return (text) => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = check(text);
    if (results.size < maxMemoized) results.set(text, result);
    return result;
  };
}
