// Paths and query strings: every identifier becomes exactly one path segment or is refused.
import { usageError } from '../core/errors.ts';

/** Fills `{name}` in a path. An identifier that no URL can carry as one segment ends with usage. */
export function fillPath(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeSegment(name, values[name] ?? ''),
  );
}

function encodeSegment(name: string, value: string): string {
  if (value === '') throw usageError(`The ${words(name)} is empty.`);
  // URL parsers resolve a segment of dots, written out or percent-encoded, away.
  if (value === '.' || value === '..') {
    throw usageError(`The ${words(name)} cannot be \`${value}\`: no URL can carry it.`);
  }
  if (!value.isWellFormed()) {
    throw usageError(`The ${words(name)} is not valid Unicode (a lone surrogate).`);
  }
  return encodeURIComponent(value);
}

/**
 * `?a=1&tags=x&tags=y`, or nothing. Arrays become repeated keys; absent values are left out. A parameter in
 * `arrays` is sent twice when it has one value, because the service reads a key that occurs once as plain text.
 */
export function queryString(
  query: Record<string, unknown>,
  arrays: readonly string[] = [],
): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? value : [value];
    const isLone = values.length === 1 && arrays.includes(name);
    for (const one of isLone ? [...values, ...values] : values) parts.append(name, String(one));
  }
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}

/** `subscriberId` → `subscriber id`. */
const words = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
