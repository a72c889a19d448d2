// Reaching into items: a value at a dotted path, and `--fields` as a cut of an item.
import { exactText, isExact } from '../core/lossless-json.ts';

/** The value at `a.b.c`; a step into an array takes that step in every element. */
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
  const cut: Record<string, unknown> = {};
  for (const path of paths) copyPath(cut, item, path.split('.'));
  return cut;
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

const isNested = (value: unknown) => typeof value === 'object' && value !== null && !isExact(value);

/** The text of a value in a cell: absent is empty, lists of words are joined with commas, all else is JSON. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && !value.some(isNested)) return value.map(cellText).join(',');
  if (typeof value === 'object') return exactText(value);
  return String(value);
}
