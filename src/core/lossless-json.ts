// Detects JSON numbers that a double cannot represent ("exact numbers"), in text and in values. The parser for them
// is loaded only if there is one.

/** Long numbers and exponents. False positives only cost time. */
const longNumber = /[:[,\s]-?(?:\d[\d.]{15,}|[\d.]+[eE])/;

/** Numbers that JavaScript would write with other digits: `1.0`, `0.50`, `-0`. Must not match the seconds of a time. */
const reformattedNumber = /[:[,\s](?:-?\d+\.\d*0|-0)(?=[\s,\]}]|$)/;

/** Whether a JSON text may contain a number that a double cannot represent. */
export const hasLongNumber = (json: string): boolean => longNumber.test(json);

/** Whether a value is an exact number. */
export const isExact = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

/** Whether a value contains an exact number. */
export function hasExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isExact(value) || Object.values(value).some(hasExact);
}

/** Converts an exact number to the nearest double. Returns any other value unchanged. */
export const asDouble = (value: unknown): unknown => (isExact(value) ? Number(value) : value);

/** Parses JSON from the user: every number keeps its value. Throws SyntaxError. */
export async function readJson(text: string): Promise<unknown> {
  // The pattern needs a character before the number.
  if (!hasLongNumber(` ${text}`)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseValues(text);
}

/** Parses JSON from the service: every number keeps its digits. Throws SyntaxError. */
export async function readResponseJson(text: string): Promise<unknown> {
  if (!hasLongNumber(text) && !reformattedNumber.test(text)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseDigits(text);
}

/** JSON text of a value, with exact numbers. */
export function exactText(value: unknown): string {
  if (!hasExact(value)) return JSON.stringify(value) ?? 'null';
  if (isExact(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`;
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(',')}}`;
}
