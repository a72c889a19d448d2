// Whether the names in `--fields` exist: in the data that is printed, or in what is known of its fields.
import { usageError } from '../core/errors.ts';
import { valueAt } from './fields.ts';

/** The fields that a command's data can have. */
export interface KnownFields {
  has(path: string): boolean;
  /** The names of the members below a path; below '' those of an item. */
  below(path: string): readonly string[];
}

export interface FieldCheck {
  /** Loaded only when a name is not in the data. */
  known: () => Promise<KnownFields | undefined>;
  /** The command has changed something: a missing field is reported, not refused. */
  hasWritten: boolean;
}

/** Fields by name alone, with anything below them. */
export const namedFields = (names: readonly string[]): KnownFields => ({
  has: (path) => names.includes(path.split('.')[0] ?? ''),
  below: (path) => (path === '' ? names : []),
});

/** Refuses names that a command's data cannot have, before it runs. */
export function checkKnownFields(paths: readonly string[], known: KnownFields): void {
  const unknown = paths.filter((path) => !known.has(path));
  if (unknown.length > 0) throw unknownFields(unknown, known.below);
}

/** Looks at the first items for the named fields; ends with usage when one is neither there nor known. */
export async function checkFields(
  items: readonly unknown[],
  { fields, fieldCheck, hint }: CheckedPrinter,
  /** Names that columns of the output have besides. */
  columns: readonly string[] = [],
): Promise<void> {
  if (!fields || !fieldCheck) return;
  const absent = fields.filter(
    (path) => !columns.includes(path) && !items.some((item) => isPresent(valueAt(item, path))),
  );
  if (absent.length === 0) return;
  if (fieldCheck.hasWritten) {
    if (items.length > 0) hint(`--fields: the response has no ${quoted(absent)}.`);
    return;
  }
  const known = await fieldCheck.known();
  const unknown = absent.filter((path) => known?.has(path) !== true);
  if (unknown.length === 0 || (known === undefined && items.length === 0)) return;
  throw unknownFields(unknown, (path) => [
    ...new Set([...(known?.below(path) ?? []), ...items.slice(0, 1).flatMap(namesBelow(path))]),
  ]);
}

interface CheckedPrinter {
  fields?: readonly string[];
  fieldCheck?: FieldCheck;
  hint(text: string): void;
}

/** A step into an array gives a value for each of its elements. */
const isPresent = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 || value.some(isPresent) : value !== undefined;

const namesBelow =
  (path: string) =>
  (item: unknown): string[] => {
    const value = path === '' ? item : valueAt(item, path);
    const one = Array.isArray(value) ? value[0] : value;
    return typeof one === 'object' && one !== null ? Object.keys(one) : [];
  };

function unknownFields(paths: readonly string[], below: (path: string) => readonly string[]) {
  const [first = ''] = paths;
  const parent = first.split('.').slice(0, -1).join('.');
  const inside = parent === '' ? [] : below(parent);
  const names = inside.length > 0 ? inside.map((name) => `${parent}.${name}`) : below('');
  return usageError(`--fields: unknown field${paths.length > 1 ? 's' : ''} ${quoted(paths)}.`, {
    ...(paths.length === 1 ? { suggestion: { input: first, candidates: names } } : {}),
    hint: `Fields: ${names.join(', ')}. a.b is field b inside a.`,
  });
}

const quoted = (paths: readonly string[]) => paths.map((path) => `\`${path}\``).join(', ');
