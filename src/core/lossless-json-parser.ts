// JSON with numbers that a double cannot hold, read and written with the digits they came with.
// The one file that knows lossless-json; load it by need (lossless-json.ts says when).
import { isSafeNumber, LosslessNumber, parse, stringify } from 'lossless-json';

type NumberReader = (digits: string) => unknown;

/** Keeps every number that would be written with other digits, as `1.0` and `-0`. */
const keepDigits: NumberReader = (digits) =>
  String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits);

/** Keeps every number whose value a double would change. */
const keepValue: NumberReader = (digits) =>
  isSafeNumber(digits) ? Number(digits) : keepDigits(digits);

/** Of a name that stands twice the last one holds, as for `JSON.parse`. Throws SyntaxError. */
const createParser = (parseNumber: NumberReader) => (text: string) =>
  parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });

export const parseValues = createParser(keepValue);
export const parseDigits = createParser(keepDigits);

export const writeExact = (value: unknown, indent?: number): string =>
  stringify(value, null, indent) ?? 'null';
