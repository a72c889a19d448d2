// Detects JSON numbers that a double cannot represent ("exact numbers"), in text and in values. The parser for exact
// numbers is loaded only if a text contains such a number.
import { isObject } from './objects.ts';

/** Matches long numbers and numbers with an exponent. A false positive only costs time. */
const longNumber = /[:[,\s]-?(?:\d[\d.]{15,}|[\d.]+[eE])/;

/** Matches numbers that JavaScript would write differently, such as `1.0`, `0.50` and `-0`, but no timestamps. */
const reformattedNumber = /[:[,\s](?:-?\d+\.\d*0|-0)(?=[\s,\]}]|$)/;

/** Whether a JSON text may contain a number that a double cannot represent. */
export const mayContainExactNumber = (json: string): boolean => longNumber.test(json);

/** Whether a value is an exact number. */
export const isExactNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

/** Whether a value is a JSON object: not an exact number either, which is an object in JavaScript. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !isExactNumber(value);

/** Whether a value contains an exact number. */
export function containsExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isExactNumber(value) || Object.values(value).some(containsExactNumber);
}

/** Converts an exact number to the nearest double, which can be infinite. Returns any other value unchanged. */
export const asDouble = (value: unknown): unknown =>
  isExactNumber(value) ? Number(String(value)) : value;

/** Parses JSON from the user. Numbers keep their exact value, but `1.0` becomes `1`. Throws SyntaxError. */
export async function parseJson(text: string): Promise<unknown> {
  // The pattern needs a character before the number.
  if (!mayContainExactNumber(` ${text}`)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseValues(text);
}

/** Parses JSON from the service. Numbers keep all their digits, including the zero of `1.0`. Throws SyntaxError. */
export async function parseResponseJson(text: string): Promise<unknown> {
  if (!mayContainExactNumber(text) && !reformattedNumber.test(text)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseDigits(text);
}

/** Converts a value to JSON text and keeps the digits of exact numbers. */
export function stringifyExact(value: unknown): string {
  if (!containsExactNumber(value)) return JSON.stringify(value) ?? 'null';
  if (isExactNumber(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(stringifyExact).join(',')}]`;
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${stringifyExact(member)}`).join(',')}}`;
}
