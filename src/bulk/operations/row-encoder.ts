// Fast path: encodes the bytes of CSV cells directly as the JSON of a subscriber, without text or an object in between.
// Rows that need conversion or may be invalid take the slow path through the schema, which reports what is wrong.
import { groupBy } from '../../core/objects.ts';
import { isId, isTrimmed } from '../../core/whitespace.ts';
import { type CellBytes, cellText } from '../../input/cell-bytes.ts';
import type { InputRecord } from '../../input/records.ts';
import { isEmail, isLocale, isTimeZone } from '../../service/rules/formats.ts';
import type { ItemWriter } from '../engine/body-writer.ts';
import type { Item } from '../engine/sender.ts';
import { type ColumnMap, dataObjectColumn, indexOfField } from './columns.ts';
import { type CellOptions, inferValue } from './row-mapper.ts';

interface CellColumn {
  index: number;
  /** The names in the JSON: `firstName`, or `data`, `address`, `city`. */
  path: readonly string[];
  /** The number of the object that has the member. */
  parent: number;
  /** The bytes before the cell, by the parent of the member before it: `,"firstName":`, `,"data":{"plan":`, `},"x":`. */
  prefixes: (Buffer | undefined)[];
  isData: boolean;
  check: CellCheck | undefined;
}

const asterisk = 42;
/** Longer records take the slow path. */
const maxRecordBytes = 16 * 1024;
/** A byte of a cell becomes at most six bytes of JSON: `\u001f`. */
const maxBytesPerByte = 6;

/** `isFinalPhone` is false for phone numbers to convert. The encoder returns undefined for rows that must take the slow path. */
export function compileRowEncoder(
  columns: ColumnMap,
  { infer, clearEmpty }: CellOptions,
  isFinalPhone?: (cell: string) => boolean,
): (record: InputRecord, body: ItemWriter) => Item | undefined {
  const checks: Record<string, CellCheck> = {
    ...fieldChecks(),
    // The slow path reads the JSON object.
    [dataObjectColumn]: () => false,
    ...(isFinalPhone
      ? { phone: (cells: CellBytes, cell: number) => isFinalPhone(cellText(cells, cell)) }
      : {}),
  };
  const columnsAt = (place: string) =>
    columns.filter((column) => column.place === place && column.field !== 'subscriberId');
  const targets = [
    ...columnsAt('field').map((column) => ({ ...column, path: [column.field] })),
    ...inOrder(
      columnsAt('data').map(({ path, ...column }) => ({
        ...column,
        path: ['data', ...(path ?? [column.field])],
      })),
    ),
  ];
  /** The objects in the JSON; the first one is the subscriber. */
  const parents = new Map<string, readonly string[]>([['[]', []]]);
  const members = targets.map(({ index, field, place, path }): CellColumn => {
    const names = path.slice(0, -1);
    const key = JSON.stringify(names);
    parents.set(key, names);
    return {
      index,
      path,
      parent: [...parents.keys()].indexOf(key),
      prefixes: [],
      isData: place === 'data',
      check: place === 'field' ? checks[field] : undefined,
    };
  });
  const openObjects = [...parents.values()];
  const closings = openObjects.map(({ length }) => Buffer.from('}'.repeat(length + 1)));
  const idColumn = indexOfField(columns, 'subscriberId');
  const fixedBytes = members.reduce(
    (sum, { path }) => sum + prefixBetween([], path).length + path.length + 2,
    64,
  );
  const maxBytesPerCellByte = maxBytesPerByte * maxCopies([idColumn, ...members.map(cellIndex)]);

  return (record, body) => {
    const { cellBytes, firstCell = 0 } = record;
    const size = record.end - record.start;
    if (!cellBytes || idColumn < 0 || size > maxRecordBytes) return undefined;
    const { block, bounds } = cellBytes;
    const { bytes } = block;
    const idCell = firstCell + idColumn;
    const idStart = bounds[2 * idCell] as number;
    const idEnd = bounds[2 * idCell + 1] as number;
    if (!isIdCell(cellBytes, idCell, idStart, idEnd)) return undefined;
    body.start(fixedBytes + maxBytesPerCellByte * size);
    body.addBytes(idName);
    body.addQuoted(bytes, idStart, idEnd);
    let parent = 0;
    for (const member of members) {
      const { index, isData, check } = member;
      const cell = firstCell + index;
      const start = bounds[2 * cell] as number;
      const end = bounds[2 * cell + 1] as number;
      if (start === end) {
        if (clearEmpty) return undefined;
        continue;
      }
      // The slow path recognizes masked secrets, which consist of asterisks.
      if (bytes[start] === asterisk) return undefined;
      if (check && !check(cellBytes, cell, start, end)) return undefined;
      member.prefixes[parent] ??= prefixBetween(openObjects[parent] ?? [], member.path);
      body.addBytes(member.prefixes[parent] as Buffer);
      parent = member.parent;
      // With --infer, the type of custom data depends on the cell.
      if (infer && isData) body.addText(JSON.stringify(inferValue(cellText(cellBytes, cell))));
      else body.addQuoted(bytes, start, end);
    }
    body.addBytes(closings[parent] as Buffer);
    return { id: cellText(cellBytes, idCell) };
  };
}

const cellIndex = ({ index }: CellColumn) => index;

/** How often a cell is copied at most, because a column can fill several fields. */
const maxCopies = (indexes: readonly number[]) =>
  Math.max(...indexes.map((index) => indexes.filter((other) => other === index).length));

const idName = Buffer.from('{"subscriberId":');

/** Closes the open objects and opens others, up to the value of a member. */
function prefixBetween(open: readonly string[], path: readonly string[]): Buffer {
  const names = path.map((name) => JSON.stringify(name));
  const common = path.slice(0, -1).findIndex((name, at) => name !== open[at]);
  const kept = common < 0 ? Math.min(open.length, path.length - 1) : common;
  return Buffer.from(`${'}'.repeat(open.length - kept)},${names.slice(kept).join(':{')}:`);
}

/** The members of each object one after the other. */
function inOrder<T extends { path: readonly string[] }>(members: readonly T[], depth = 1): T[] {
  return [...groupBy(members, ({ path }) => path[depth])].flatMap(([name, group]) =>
    name === undefined || group.length === 1 ? group : inOrder(group, depth + 1),
  );
}

// Checks cells as bytes. Checks that need text decode the cell.

/** Whether a cell is valid as it is. `start` and `end` are its bounds. */
export type CellCheck = (cells: CellBytes, cell: number, start: number, end: number) => boolean;

/** Whether a cell has no whitespace at its ends. Only texts that do not begin and end with ASCII are decoded. */
export const isTrimmedCell: CellCheck = (cells, cell, start, end) => {
  const { bytes } = cells.block;
  const [first, last] = [bytes[start] as number, bytes[end - 1] as number];
  if (first > 32 && first < 127 && last > 32 && last < 127) return true;
  return isTrimmed(cellText(cells, cell));
};

/** Whether a cell can be sent as an id. Only texts that are not printable ASCII are decoded. */
export const isIdCell: CellCheck = (cells, cell, start, end) => {
  const { bytes } = cells.block;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < 33 || byte > 126) return isId(cellText(cells, cell));
  }
  return start < end;
};

const other = 0;
const letter = 1;
const digit = 2;
const hyphen = 3;
/** Further characters that an address may contain before its `@`. */
const symbol = 4;
const dot = 5;
const atSign = 6;

const characterClasses = new Uint8Array(256);
for (const [characterClass, characters] of [
  [letter, 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'],
  [digit, '0123456789'],
  [hyphen, '-'],
  [symbol, "!#$%&'*+/=?^_`{|}~"],
  [dot, '.'],
  [atSign, '@'],
] as const)
  for (const character of characters) characterClasses[character.charCodeAt(0)] = characterClass;

/** No part of an address of this length is too long. */
const maxCommonLength = 63;

/** Whether a cell is a common form of an e-mail address. Other forms can be valid, too. */
export function isCommonEmail(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > maxCommonLength) return false;
  let domain = -1;
  let label = start;
  /** Where the last character is that is not a letter. */
  let lastOther = start;
  let previous = dot;
  for (let at = start; at < end; at += 1) {
    const characterClass = characterClasses[bytes[at] as number] as number;
    if (characterClass === other || (characterClass === symbol && domain >= 0)) return false;
    if (characterClass >= dot) {
      if (previous >= dot || (previous === hyphen && domain >= 0)) return false;
      label = at + 1;
      if (characterClass === atSign) {
        if (domain >= 0) return false;
        domain = label;
      }
    } else if (characterClass === hyphen && previous >= dot && domain >= 0) return false;
    if (characterClass !== letter) lastOther = at;
    previous = characterClass;
  }
  // The top-level domain consists of letters.
  return domain >= 0 && label !== domain && end - label >= 2 && lastOther < label;
}

const isEmailCell: CellCheck = (cells, cell, start, end) => {
  if (isCommonEmail(cells.block.bytes, start, end)) return true;
  const text = cellText(cells, cell);
  return isTrimmed(text) && isEmail(text);
};

const slots = 256;

/** Remembers valid cells, because few different values occur. */
function rememberValid(isValid: (text: string) => boolean): CellCheck {
  const validCells: (Uint8Array | undefined)[] = new Array(slots).fill(undefined);
  return (cells, cell, start, end) => {
    const { bytes } = cells.block;
    let hash = end - start;
    for (let position = start; position < end; position += 1)
      hash = (hash * 31 + (bytes[position] as number)) | 0;
    const slot = hash & (slots - 1);
    const earlier = validCells[slot];
    if (earlier && isEqual(earlier, bytes, start, end)) return true;
    if (!isValid(cellText(cells, cell))) return false;
    validCells[slot] = Uint8Array.from(bytes.subarray(start, end));
    return true;
  };
}

function isEqual(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): boolean {
  if (expected.length !== end - start) return false;
  for (let index = 0; index < expected.length; index += 1)
    if (expected[index] !== bytes[start + index]) return false;
  return true;
}

/** Fields with a restricted format. All other fields accept any text. */
export const fieldChecks = (): Record<string, CellCheck> => ({
  email: isEmailCell,
  phone: isTrimmedCell,
  locale: rememberValid(isLocale),
  timezone: rememberValid(isTimeZone),
});
