// Checks cells as bytes. Checks that need text decode the cell.

import { isId, isTrimmed } from '../../core/whitespace.ts';
import { type CellBytes, cellText } from '../../input/cell-bytes.ts';
import { isEmail, isLocale, isTimeZone } from '../../service/rules/formats.ts';

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
