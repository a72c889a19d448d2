// Liquid filters of the service that Liquid itself does not have.
import pluralizeWord from 'pluralize';

/** `{{ people | toSentence: 'name', 2, 'other' }}`: "Ann, Bob, and 3 others". */
export function toSentence(
  list: unknown,
  path = '',
  limit = 2,
  overflowWord = 'other',
  separator = ', ',
  pairSeparator = ' and ',
  lastSeparator = ', and ',
): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const words = textsAt(list, path);
  if (words.length <= 2) return words.join(pairSeparator);
  if (limit >= words.length)
    return `${words.slice(0, -1).join(separator)}${lastSeparator}${words.at(-1)}`;
  const rest = words.length - limit;
  const joint = limit === 1 ? pairSeparator : lastSeparator;
  return `${words.slice(0, limit).join(separator)}${joint}${rest} ${pluralizeWord(overflowWord, rest)}`;
}

/** `{{ people | digest: 2, 'name' }}`: "Ann, Bob and 3 others". */
export function digest(list: unknown, limit = 2, path = '', separator = ', '): string {
  if (!Array.isArray(list) || list.length === 0) return '';
  const words = textsAt(list, path);
  if (words.length <= 2) return words.join(' and ');
  if (words.length === 3 && limit >= 3) {
    // With three words the service adds a comma before the first separator.
    return `${words[0]}, ${separator}${words[1]} and ${words[2]}`;
  }
  const rest = words.length - limit;
  return `${words.slice(0, limit).join(separator)} and ${rest} ${rest === 1 ? 'other' : 'others'}`;
}

/** `{{ steps.d.eventCount | pluralize: 'comment' }}`: "2 comments"; nothing for zero or less. */
export function pluralize(
  value: unknown,
  singular = '',
  plural = '',
  showCount: unknown = 'true',
): string {
  const count = countItems(value);
  if (count <= 0) return '';
  const inflected = count === 1 ? singular : plural;
  const word = plural === '' ? pluralizeWord(singular, count) : inflected;
  return showCount === 'true' ? `${count} ${word}` : word;
}

function countItems(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object') return Object.keys(value).length;
  const count = Number(value);
  return Number.isNaN(count) ? 0 : count;
}

/** An object or array as JSON with single quotes, which are safe inside a JSON string. */
export function singleQuotedJson(value: unknown, indent = 0): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return JSON.stringify(value, null, indent).replaceAll('"', "'").replaceAll('\n', '\\n');
}

const textsAt = (list: readonly unknown[], path: string): string[] =>
  list.map((item) => String((path === '' ? item : memberAt(item, path)) ?? ''));

const memberAt = (item: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, name)
          ? (value as Record<string, unknown>)[name]
          : undefined,
      item,
    );

/** Arithmetic of the version of Liquid that the service runs: a missing value is not a number, and remainders have a sign. */
export const mathFilters: Record<string, (value: unknown, ...operands: unknown[]) => number> = {
  abs: (value) => Math.abs(Number(value)),
  at_least: (value, least) => Math.max(Number(value), Number(least)),
  at_most: (value, most) => Math.min(Number(value), Number(most)),
  ceil: (value) => Math.ceil(Number(value)),
  divided_by: (value, divisor, isInteger = false) => {
    const quotient = Number(value) / Number(divisor);
    return isInteger ? Math.floor(quotient) : quotient;
  },
  floor: (value) => Math.floor(Number(value)),
  minus: (value, other) => Number(value) - Number(other),
  modulo: (value, divisor) => Number(value) % Number(divisor),
  times: (value, factor) => Number(value) * Number(factor),
  plus: (value, other) => Number(value) + Number(other),
  round: (value, digits = 0) => {
    const scale = 10 ** Number(digits);
    return Math.round(Number(value) * scale) / scale;
  },
};
