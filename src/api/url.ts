// URL paths and query strings. Every identifier becomes exactly one path segment.
import { usageError } from '../core/errors.ts';
import { limits } from '../service/limits.ts';

/** Fills in `{name}` in a path. Throws a usage error for an identifier that cannot be one path segment. */
export function fillPath(path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeSegment(name, values[name] ?? ''),
  );
}

function encodeSegment(name: string, value: string): string {
  if (value === '') throw usageError(`The ${toWords(name)} is empty.`);
  // URL parsers remove dot segments, even percent-encoded ones.
  if (value === '.' || value === '..') {
    throw usageError(
      `The ${toWords(name)} cannot be \`${value}\`, because a URL path cannot contain it.`,
    );
  }
  if (!value.isWellFormed()) {
    throw usageError(`The ${toWords(name)} is not valid Unicode (a lone surrogate).`);
  }
  return encodeURIComponent(value);
}

/**
 * Returns `?a=1&tags=x&tags=y`, or an empty string. Arrays become repeated keys; null and undefined are omitted. A
 * single value of a parameter in `arrays` is sent twice, because the service parses a key that occurs once as text.
 * Throws a usage error for more values than the service accepts.
 */
export function queryString(
  query: Record<string, unknown>,
  arrays: readonly string[] = [],
): string {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    const values = Array.isArray(value) ? value : [value];
    if (values.length > limits.valuesPerParameter)
      throw usageError(
        `\`${name}\` has ${values.length} values, but the service accepts at most ${limits.valuesPerParameter} in a request.`,
        { hint: 'Run the command several times, with some of the values each time.' },
      );
    const isSingle = values.length === 1 && arrays.includes(name);
    for (const element of isSingle ? [...values, ...values] : values)
      parts.append(name, String(element));
  }
  const text = parts.toString();
  return text === '' ? '' : `?${text}`;
}

/** `subscriberId` → `subscriber id`. */
const toWords = (name: string) => name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
