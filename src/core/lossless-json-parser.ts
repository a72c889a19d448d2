// Parses JSON numbers that a double cannot represent, with their original digits.
// The only user of lossless-json. Load it on demand: lossless-json.ts detects when it is needed.
import { isSafeNumber, LosslessNumber, parse } from 'lossless-json';

type NumberReader = (digits: string) => unknown;

/** Keeps every number that JavaScript would write with other digits, such as `1.0` and `-0`. */
const keepDigits: NumberReader = (digits) =>
  String(Number(digits)) === digits ? Number(digits) : new LosslessNumber(digits);

/** Keeps every number whose value a double would change. */
const keepValue: NumberReader = (digits) =>
  isSafeNumber(digits) ? Number(digits) : keepDigits(digits);

/** If a name occurs twice, the last value wins, as in `JSON.parse`. Throws SyntaxError. */
const createParser = (parseNumber: NumberReader) => (text: string) =>
  parse(text, undefined, { parseNumber, onDuplicateKey: ({ newValue }) => newValue });

export const parseValues = createParser(keepValue);
export const parseDigits = createParser(keepDigits);
