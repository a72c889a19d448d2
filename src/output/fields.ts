// Reads values at dotted paths, and reduces items to the fields of `--fields`.

import { usageError } from '../core/errors.ts';
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

// Checks the names in `--fields` against the printed data and the known fields of the command.

/** The fields that a command's output can have. */
export interface KnownFields {
  has(path: string): boolean;
  /** Returns the names of the fields below a path. The path '' refers to the item itself. */
  namesBelow(path: string): readonly string[];
}

export interface FieldCheck {
  /** Called only if the data does not contain a field. */
  loadKnownFields: () => Promise<KnownFields | undefined>;
  /** The command has changed data, so a missing field causes only a warning. */
  hasWritten: boolean;
}

/** Creates known fields from a list of top-level names. Any field below these is allowed. */
export const topLevelFields = (names: readonly string[]): KnownFields => ({
  has: (path) => names.includes(path.split('.')[0] ?? ''),
  namesBelow: (path) => (path === '' ? names : []),
});

/** Throws a usage error for unknown fields, before a command runs. */
export function checkKnownFields(paths: readonly string[], knownFields: KnownFields): void {
  const unknown = paths.filter((path) => !knownFields.has(path));
  if (unknown.length > 0) throw unknownFieldsError(unknown, knownFields.namesBelow);
}

/** Throws a usage error if a field of `--fields` is neither in `items` nor a known field. */
export async function checkFields(
  items: readonly unknown[],
  { fields, fieldCheck, hint }: FieldCheckOptions,
  columns: readonly string[] = [],
): Promise<void> {
  if (!fields || !fieldCheck) return;
  const missing = fields.filter(
    (path) => !columns.includes(path) && !items.some((item) => isPresent(valueAt(item, path))),
  );
  if (missing.length === 0) return;
  if (fieldCheck.hasWritten) {
    if (items.length > 0) hint(`--fields: the response has no ${quoted(missing)}.`);
    return;
  }
  const knownFields = await fieldCheck.loadKnownFields();
  const unknown = missing.filter((path) => knownFields?.has(path) !== true);
  if (unknown.length === 0 || (knownFields === undefined && items.length === 0)) return;
  throw unknownFieldsError(unknown, (path) => [
    ...new Set([
      ...(knownFields?.namesBelow(path) ?? []),
      ...items.slice(0, 1).flatMap(keysBelow(path)),
    ]),
  ]);
}

interface FieldCheckOptions {
  fields?: readonly string[];
  fieldCheck?: FieldCheck;
  hint(text: string): void;
}

/** A path through an array yields one value per element. */
const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 || value.some(isPresent) : value !== undefined;

const keysBelow =
  (path: string) =>
  (item: unknown): string[] => {
    const value = path === '' ? item : valueAt(item, path);
    const object = Array.isArray(value) ? value[0] : value;
    return typeof object === 'object' && object !== null ? Object.keys(object) : [];
  };

function unknownFieldsError(
  paths: readonly string[],
  namesBelow: (path: string) => readonly string[],
) {
  const [first = ''] = paths;
  const parent = first.split('.').slice(0, -1).join('.');
  const siblings = parent === '' ? [] : namesBelow(parent);
  const names = siblings.length > 0 ? siblings.map((name) => `${parent}.${name}`) : namesBelow('');
  return usageError(`--fields: unknown field${paths.length > 1 ? 's' : ''} ${quoted(paths)}.`, {
    suggestion: paths.length === 1 ? { input: first, candidates: names } : undefined,
    hint: `Fields: ${names.join(', ')}. Write a.b for field b of a.`,
  });
}

const quoted = (paths: readonly string[]) => paths.map((path) => `\`${path}\``).join(', ');
