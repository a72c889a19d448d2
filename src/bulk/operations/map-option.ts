// Parses `--map field=Column` options into the fields that each column fills.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { type ColumnOptions, subscriberFields } from './columns.ts';

const maxListedColumns = 8;

/** `--map email=Mail` → `Mail: [email]`. One column can fill several fields. */
export function readMap(
  { map, payload, name }: Pick<ColumnOptions, 'map' | 'payload' | 'name'>,
  header: readonly string[],
): Map<string, string[]> {
  const fieldsByColumn = new Map<string, string[]>();
  for (const entry of map) {
    const { field, column } = splitEntry(entry);
    checkField(field, column, entry, payload === true, header);
    if (!header.includes(column)) {
      throw usageError(`--map ${entry}: ${name} has no column \`${column}\`.`, {
        suggestion: { input: column, candidates: header },
        hint: columnsHint(header),
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

/** Refuses `--map` for JSON input, where it would have no effect. */
export function refuseMap(map: readonly string[], name: string): void {
  const [entry] = map;
  if (entry === undefined) return;
  throw usageError(`--map ${entry}: ${name} is JSON and has no columns.`, {
    hint: 'Omit --map and use the field names as object keys, such as subscriberId and email.',
  });
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
  field: string,
  column: string,
  entry: string,
  payload: boolean,
  header: readonly string[],
): void {
  const inside = payload ? /^(data|payload)\../ : /^data\../;
  if (subscriberFields.includes(field) || inside.test(field)) return;
  const isSwapped = header.includes(field) && subscriberFields.includes(column);
  const places = payload ? 'data.<name> and payload.<name>' : 'data.<name>';
  throw usageError(`--map ${entry}: unknown field \`${field}\`.`, {
    suggestion: { input: field, candidates: subscriberFields },
    hint: isSwapped
      ? `The field comes first: --map ${column}=${shellWord(field)}.`
      : `The fields are ${subscriberFields.join(', ')}, ${places}.`,
  });
}

function columnsHint(header: readonly string[]): string {
  const named = header.slice(0, maxListedColumns).map((column) => `\`${column}\``);
  const more =
    header.length > maxListedColumns ? ` and ${header.length - maxListedColumns} more` : '';
  return `Its columns are ${named.join(', ')}${more}.`;
}
