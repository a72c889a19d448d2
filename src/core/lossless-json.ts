// Numbers in JSON that a double cannot hold: which texts have some, which values do. Costs nothing to load; what
// reads such numbers is loaded once there is one.

/** Long numbers and exponents; false hits only cost time. */
const longNumber = /[:[,\s]-?(?:\d[\d.]{15,}|[\d.]+[eE])/;

/** Numbers that JavaScript would write with other digits: `1.0`, `0.50`, `-0`; not the seconds of a time. */
const reformattedNumber = /[:[,\s](?:-?\d+\.\d*0|-0)(?=[\s,\]}]|$)/;

/** Whether a JSON text may have a number that a double cannot hold. */
export const hasLongNumber = (json: string): boolean => longNumber.test(json);

/** Whether a value is a number that came with digits of its own. */
export const isExact = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

/** Whether such a number is in a value. */
export function hasExact(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isExact(value) || Object.values(value).some(hasExact);
}

/** Such a number as the nearest double; anything else as it is. */
export const asDouble = (value: unknown): unknown => (isExact(value) ? Number(value) : value);

/** JSON as it is typed: every number keeps its value. Throws SyntaxError. */
export async function readJson(text: string): Promise<unknown> {
  // A number alone has nothing in front of it.
  if (!hasLongNumber(` ${text}`)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseValues(text);
}

/** JSON as the service answers it: every number keeps its digits. Throws SyntaxError. */
export async function readResponseJson(text: string): Promise<unknown> {
  if (!hasLongNumber(text) && !reformattedNumber.test(text)) return JSON.parse(text);
  return (await import('./lossless-json-parser.ts')).parseDigits(text);
}

/** JSON text of a value, every number with its digits. */
export function exactText(value: unknown): string {
  if (!hasExact(value)) return JSON.stringify(value) ?? 'null';
  if (isExact(value)) return String(value);
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`;
  const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${exactText(member)}`).join(',')}}`;
}
