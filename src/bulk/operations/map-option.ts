// `--map field=Column`, as typed → the fields that each column feeds.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { type ColumnChoices, subscriberFields } from './subscriber-columns.ts';

const mostNamed = 8;

/** `--map email=Mail` → Mail ↦ [email]. One column may feed several fields. */
export function readMap(
  { map, payload, name }: Pick<ColumnChoices, 'map' | 'payload' | 'name'>,
  header: readonly string[],
): Map<string, string[]> {
  const fieldsOf = new Map<string, string[]>();
  for (const entry of map) {
    const { field, column } = splitEntry(entry);
    checkField(field, column, entry, payload === true, header);
    if (!header.includes(column)) {
      throw usageError(`--map ${entry}: ${name} has no column \`${column}\`.`, {
        suggestion: { input: column, candidates: header },
        hint: columnsHint(header),
      });
    }
    const fields = fieldsOf.get(column) ?? [];
    if (!fields.includes(field)) fieldsOf.set(column, [...fields, field]);
  }
  return fieldsOf;
}

/** Refuses `--map` for an input without columns, where it would have no effect. */
export function refuseMap(map: readonly string[], name: string): void {
  const [entry] = map;
  if (entry === undefined) return;
  throw usageError(`--map ${entry}: ${name} is JSON and has no columns.`, {
    hint: 'Leave --map out and name the members of each object after the fields, such as subscriberId and email.',
  });
}

function splitEntry(entry: string): { field: string; column: string } {
  const at = entry.indexOf('=');
  const field = entry.slice(0, at);
  const column = entry.slice(at + 1);
  if (at > 0 && column !== '') return { field, column };
  throw usageError(`--map: \`${entry}\` is not of the form field=column.`, {
    hint: 'Name the field first and the column second, such as --map email=Mail.',
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
  const isTurned = header.includes(field) && subscriberFields.includes(column);
  const places = payload ? 'data.<name> and payload.<name>' : 'data.<name>';
  throw usageError(`--map ${entry}: unknown field \`${field}\`.`, {
    suggestion: { input: field, candidates: subscriberFields },
    hint: isTurned
      ? `The field comes first: --map ${column}=${shellWord(field)}.`
      : `The fields are ${subscriberFields.join(', ')}, ${places}.`,
  });
}

function columnsHint(header: readonly string[]): string {
  const named = header.slice(0, mostNamed).map((column) => `\`${column}\``);
  const more = header.length > mostNamed ? ` and ${header.length - mostNamed} more` : '';
  return `Its columns are ${named.join(', ')}${more}.`;
}
