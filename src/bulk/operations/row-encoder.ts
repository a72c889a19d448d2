// CSV cells → the JSON of a subscriber, without an object in between: ten million rows take this way. A row
// that is not plainly right goes the long way, through the schema, which says what is wrong with it.
import { isEmailAddress, isLocale, isTimeZone } from '../../api/schemas/values.ts';
import { isTrimmed } from '../../core/whitespace.ts';
import type { Item } from '../engine/plan.ts';
import { type CellChoices, inferred } from './row-mapper.ts';
import type { ColumnMap } from './subscriber-columns.ts';

interface Writer {
  index: number;
  /** `,"firstName":` */
  name: string;
  isRight: (cell: string) => boolean;
}

const always = () => true;

/** The fields with a form of their own; all others take any text. */
const checks: Record<string, (cell: string) => boolean> = {
  email: (cell) => isTrimmed(cell) && isEmailAddress(cell),
  locale: remembering(isLocale),
  timezone: isTimeZone,
};

/** The place of the id in a row; -1 when no column holds it. */
const columnOfId = (columns: ColumnMap): number =>
  columns.reduce(
    (found, { index, field, place }) =>
      field === 'subscriberId' && place === 'field' ? index : found,
    -1,
  );

/** The item of a row; undefined when it has to go the long way. */
export function compileCells(
  columns: ColumnMap,
  { infer, clear }: CellChoices,
): (cells: readonly string[], line?: string) => Item | undefined {
  const writers = (place: string): Writer[] =>
    columns
      .filter((column) => column.place === place && column.field !== 'subscriberId')
      .map(({ index, field }) => ({
        index,
        name: `,${JSON.stringify(field)}:`,
        isRight: place === 'field' ? (checks[field] ?? always) : always,
      }));
  const fields = writers('field');
  const data = writers('data');
  const idAt = columnOfId(columns);
  // What a cell of custom data becomes is decided by its content.
  const dataValue = infer ? (cell: string) => JSON.stringify(inferred(cell)) : undefined;

  return (cells, line) => {
    // One look at the whole line tells that no cell of it needs an escape.
    const text = line !== undefined && plain.test(line) ? unescaped : quoted;
    const value = dataValue ?? text;
    const subscriberId = cells[idAt];
    if (subscriberId === undefined || !isTrimmed(subscriberId)) return undefined;
    let json = `{"subscriberId":${text(subscriberId)}`;
    for (const { index, name, isRight } of fields) {
      const cell = cells[index];
      if (cell === undefined || cell === '') {
        if (clear) return undefined;
        continue;
      }
      if (!isRight(cell)) return undefined;
      json += name + text(cell);
    }
    let inner = '';
    for (const { index, name } of data) {
      const cell = cells[index];
      if (cell === undefined || cell === '') {
        if (clear) return undefined;
        continue;
      }
      inner += name + value(cell);
    }
    // Each member begins with its comma; the first of `data` has none.
    json += inner === '' ? '}' : `,"data":{${inner.slice(1)}}}`;
    return { id: subscriberId, json };
  };
}

/** Printable ASCII without what JSON escapes. */
const plain = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

const unescaped = (text: string) => `"${text}"`;

/** Text as JSON; most cells need no escapes. */
const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text));

const remembered = 1_000;

/** The same few values come again and again. */
function remembering(check: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const right = check(text);
    if (known.size < remembered) known.set(text, right);
    return right;
  };
}
