// Reads values at dotted paths, and reduces items to the fields of `--fields`.
import { isExactNumber, stringifyExact } from '../core/lossless-json.ts';

/** The value at `a.b.c`. A step into an array is applied to every element. */
export function valueAt(item: unknown, path: string): unknown {
  return path.split('.').reduce(step, item);
}

function step(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((element) => step(element, name));
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

/** The item with only the named fields, nested as they were: `a,b.c` → `{a, b: {c}}`. */
export function pick(item: unknown, paths: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const path of paths) copyPath(picked, item, path.split('.'));
  return picked;
}

function copyPath(into: Record<string, unknown>, from: unknown, [name, ...rest]: string[]): void {
  if (name === undefined) return;
  const value = step(from, name);
  if (value === undefined) return;
  if (rest.length === 0) into[name] = value;
  else if (Array.isArray(value))
    into[name] = value.map((element) => pick(element, [rest.join('.')]));
  else {
    const inner = (into[name] ?? {}) as Record<string, unknown>;
    copyPath(inner, value, rest);
    into[name] = inner;
  }
}

const isNested = (value: unknown) =>
  typeof value === 'object' && value !== null && !isExactNumber(value);

/** The text of a table cell. Absent values are empty, lists of scalars are joined with commas, objects are JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && !value.some(isNested)) return value.map(cellText).join(',');
  if (typeof value === 'object') return stringifyExact(value);
  return String(value);
}
