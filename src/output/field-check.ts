// Checks the names in `--fields` against the printed data and the known fields of the command.
import { usageError } from '../core/errors.ts';
import { valueAt } from './fields.ts';

/** The fields that a command's output can have. */
export interface KnownFields {
  has(path: string): boolean;
  /** The member names at a path; '' is the item itself. */
  below(path: string): readonly string[];
}

export interface FieldCheck {
  /** Loaded only if a name is not in the data. */
  known: () => Promise<KnownFields | undefined>;
  /** The command has changed data, so a missing field causes only a warning. */
  hasWritten: boolean;
}

/** Known fields from a list of top-level names. Anything below them is allowed. */
export const namedFields = (names: readonly string[]): KnownFields => ({
  has: (path) => names.includes(path.split('.')[0] ?? ''),
  below: (path) => (path === '' ? names : []),
});

/** Throws a usage error for unknown fields, before a command runs. */
export function checkKnownFields(paths: readonly string[], known: KnownFields): void {
  const unknown = paths.filter((path) => !known.has(path));
  if (unknown.length > 0) throw unknownFields(unknown, known.below);
}

/** Throws a usage error if a field of `--fields` is neither in the first items nor known. */
export async function checkFields(
  items: readonly unknown[],
  { fields, fieldCheck, hint }: CheckedPrinter,
  /** Additional names of output columns. */
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

/** A path through an array yields one value per element. */
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
    hint: `Fields: ${names.join(', ')}. Write a.b for field b of a.`,
  });
}

const quoted = (paths: readonly string[]) => paths.map((path) => `\`${path}\``).join(', ');
