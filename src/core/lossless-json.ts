// Detects JSON numbers that a double cannot represent ("exact numbers"), in text and in values. The parser for exact
// numbers is loaded only if a text contains such a number.
import { isObject } from './objects.ts';

/** Matches long numbers and numbers with an exponent. A false positive only costs time. */
const longNumber = /[:[,\s]-?(?:\d[\d.]{15,}|[\d.]+[eE])/;

/** Matches numbers that JavaScript would write differently, such as `1.0`, `0.50` and `-0`, but no timestamps. */
const reformattedNumber = /[:[,\s](?:-?\d+\.\d*0|-0)(?=[\s,\]}]|$)/;

/** Whether a JSON text may contain a number that a double cannot represent. */
export const mayContainExactNumber = (json: string): boolean => longNumber.test(json);

export const isExactNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

/** Whether a value is a JSON object: not an exact number either, which is an object in JavaScript. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !isExactNumber(value);

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

/** Converts a value to JSON text and keeps the digits of exact numbers. `indent`: blanks for each level; 0 for one line. */
export const stringifyExact = (value: unknown, indent = 0): string => write(value, indent, '\n');

/** `lineBreak`: with the blanks before a member of this level. */
function write(value: unknown, indent: number, lineBreak: string): string {
  if (!containsExactNumber(value)) {
    const text = JSON.stringify(value, null, indent) ?? 'null';
    return indent === 0 ? text : text.replaceAll('\n', lineBreak);
  }
  if (isExactNumber(value)) return String(value);
  const inner = `${lineBreak}${' '.repeat(indent)}`;
  const colon = indent === 0 ? ':' : ': ';
  const items = Array.isArray(value)
    ? value.map((item: unknown) => write(item, indent, inner))
    : Object.entries(value as object)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => `${JSON.stringify(name)}${colon}${write(member, indent, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return indent === 0
    ? `${open}${items.join(',')}${close}`
    : `${open}${inner}${items.join(`,${inner}`)}${lineBreak}${close}`;
}

// Limits the nesting depth of JSON text. The text is checked before it is parsed, because the code that walks the
// value is recursive and would overflow its stack.

const maxDepth = 100;

export const tooDeepReason = `nested too deeply: more than ${maxDepth} levels`;

const quote = 0x22;
const backslash = 0x5c;

/** Depth limit of a response: a row of maximum depth inside a list of the service, and less than the limit of jq. */
export const maxResponseDepth = 120;

/** Whether JSON text nests deeper than `most` levels. Also works for invalid JSON. */
export function isTooDeep(text: string, most = maxDepth): boolean {
  // Each level takes two brackets, so a shorter text cannot be valid JSON of that depth.
  if (text.length <= 2 * most || !hasMoreThan(text, '{', '[', most)) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Whether two characters together occur more than `most` times. Fast, because most texts have few brackets. */
function hasMoreThan(text: string, first: string, second: string, most: number): boolean {
  let count = 0;
  for (const mark of [first, second]) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** Whether a path such as `a.b.c` has more levels than JSON may have. */
export const isPathTooDeep = (names: readonly string[]): boolean => names.length > maxDepth;

// Writes a value as one line of JSON without invisible characters, which is also YAML.

/** Control characters, line breaks of Unicode, reversed text and lone surrogates, which a file should not contain. */
export const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff\p{Surrogate}]/u;
const everyInvisible = new RegExp(invisible, 'gu');

export const jsonLine = (value: unknown): string =>
  stringifyExact(value).replace(
    everyInvisible,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
