// Parses `--map field=Column` options into the fields that each column fills.
import { usageError } from '../../core/errors.ts';
import { shellWord, shorten } from '../../core/text.ts';
import type { RecordSource } from '../../input/records.ts';

export const maxListedColumns = 8;

export const quoteName = (column: string) => `\`${shorten(column)}\``;

/** The first of these columns, and the number of the others. */
export function listColumns(columns: readonly string[]): string {
  const others = columns.length - maxListedColumns;
  const listed = columns.slice(0, maxListedColumns).map(quoteName).join(', ');
  return others > 0 ? `${listed} and ${others} more` : listed;
}

export interface MapChoices {
  /** `field=Column`, as given. */
  map: readonly string[];
  fields: readonly string[];
  /** Objects with fields of any name: `data`, `payload`. */
  places: readonly string[];
  /** The name of the input. */
  name: string;
}

/** `--map email=Mail` → `Mail: [email]`. One column can fill several fields. */
export function readMap(
  { map, name, ...targets }: MapChoices,
  header: readonly string[],
): Map<string, string[]> {
  const fieldsByColumn = new Map<string, string[]>();
  for (const entry of map) {
    const { field, column } = splitEntry(entry);
    checkField({ field, column, entry }, targets, header);
    if (!header.includes(column)) {
      throw usageError(`--map ${entry}: ${name} has no column \`${column}\`.`, {
        suggestion: { input: column, candidates: header },
        hint: `Its columns are ${listColumns(header.filter((name) => name !== ''))}.`,
      });
    }
    const other = [...fieldsByColumn].find(
      ([name, fields]) => name !== column && fields.includes(field),
    );
    if (other) throw twoColumnsError(field, other[0], column);
    const fields = fieldsByColumn.get(column) ?? [];
    if (!fields.includes(field)) fieldsByColumn.set(column, [...fields, field]);
  }
  return fieldsByColumn;
}

/** The column of each field that `--map` names, for a command with fixed fields. */
export function readFieldColumns(
  map: readonly string[],
  source: RecordSource,
  fields: readonly string[],
): ReadonlyMap<string, string> {
  const { header, name } = source;
  if (!header) {
    refuseMap(map, source);
    return new Map();
  }
  const columns = readMap({ map, name, fields, places: [] }, header);
  return new Map(
    [...columns].flatMap(([column, names]) => names.map((field) => [field, column] as const)),
  );
}

/** Refuses `--map` for JSON and a plain list, where it would have no effect. */
export function refuseMap(
  [entry]: readonly string[],
  { format, name }: Pick<RecordSource, 'format' | 'name'>,
): void {
  if (entry === undefined || format === 'csv') return;
  const [problem, hint] =
    format === 'lines'
      ? ['a plain list of ids', 'If it is a CSV file, add --format csv.']
      : ['JSON', 'Omit --map and use the field names as object keys, such as subscriberId.'];
  throw usageError(`--map ${entry}: ${name} is ${problem} and has no columns.`, { hint });
}

const twoColumnsError = (field: string, first: string, second: string) =>
  usageError(
    `--map: ${field} is mapped to two columns, \`${first}\` and \`${second}\`, but a field takes one column.`,
    {
      hint: `Send the other column as custom data with --data-column ${shellWord(second)}, or not at all with --ignore-column ${shellWord(second)}.`,
    },
  );

function splitEntry(entry: string): { field: string; column: string } {
  const at = entry.indexOf('=');
  const field = entry.slice(0, at);
  const column = entry.slice(at + 1);
  if (at > 0 && column !== '') return { field, column };
  throw usageError(`--map: \`${entry}\` does not have the form field=column.`, {
    hint: 'Give the field first and then the column, such as --map email=Mail.',
  });
}

function checkField(
  { field, column, entry }: { field: string; column: string; entry: string },
  { fields, places }: Pick<MapChoices, 'fields' | 'places'>,
  header: readonly string[],
): void {
  const isInside = places.some((place) => field.startsWith(`${place}.`) && field !== `${place}.`);
  if (fields.includes(field) || isInside) return;
  const isSwapped = header.includes(field) && fields.includes(column);
  const others =
    places.length === 0 ? [] : [places.map((place) => `${place}.<name>`).join(' and ')];
  throw usageError(`--map ${entry}: unknown field \`${field}\`.`, {
    suggestion: { input: field, candidates: fields },
    hint: isSwapped
      ? `The field comes first: --map ${column}=${shellWord(field)}.`
      : `The fields are ${[...fields, ...others].join(', ')}.`,
  });
}
