// Errors about the columns of an input. Reports all unknown columns at once, with the options to fix them.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { missingHeaderHint } from '../../input/csv.ts';
import { type ColumnMap, type ColumnOptions, normalizeName, subscriberFields } from './columns.ts';

const maxNameLength = 40;
const maxListedColumns = 8;

const shorten = (column: string) =>
  column.length > maxNameLength ? `${column.slice(0, maxNameLength)}…` : column;
const quoteName = (column: string) => `\`${shorten(column)}\``;
const shellName = (column: string) => shellWord(shorten(column));

export function unknownColumnsError(
  unknown: readonly string[],
  header: readonly string[],
  columns: ColumnMap,
  { name, payload }: Pick<ColumnOptions, 'name' | 'payload'>,
) {
  const candidates = subscriberFields.filter((field) => !header.includes(field));
  const suggestions = unknown.map((column) => ({ input: column, candidates }));
  const headerHint = explainHeader(header);
  const idColumn = hasId(columns) ? undefined : findLikelyIdColumn(unknown);
  const [first = ''] = unknown.filter((column) => column !== idColumn);
  const others = unknown.filter((column) => column !== idColumn);
  const quoted = shellName(first);
  const isShort =
    others.length <= maxListedColumns && others.every((column) => /^[\w.-]{1,40}$/.test(column));
  const columnList = isShort ? others.join(',') : quoted;
  const placeHint = payload
    ? `Send it in the payload with --map payload.<name>=${quoted}`
    : `Send it as custom data with --data-column ${columnList} (or --data-rest for all such columns)`;
  const rest =
    first === '' ? [] : [`${placeHint}, or map it to a field with --map <field>=${quoted}.`];
  const idHints = hasId(columns) ? [] : [idColumn === undefined ? anyIdHint : idHint(idColumn)];
  const fileHints = payload ? ['To use a saved mapping, add --map-file <file>.'] : [];
  const hint = headerHint ?? [...idHints, ...rest, ...fileHints].join(' ');
  if (suggestions.length === 1) {
    return usageError(`${name} has an unknown column ${quoteName(unknown.join(''))}.`, {
      suggestion: { input: unknown.join(''), candidates },
      hint,
    });
  }
  const listed = unknown.slice(0, maxListedColumns).map(quoteName).join(', ');
  const more =
    unknown.length > maxListedColumns ? ` and ${unknown.length - maxListedColumns} more` : '';
  return usageError(`${name} has ${unknown.length} unknown columns: ${listed}${more}.`, {
    suggestions,
    hint,
  });
}

/** Throws a usage error if the input has no column for the subscriber id. */
export function requireId(columns: ColumnMap, header: readonly string[], name: string): void {
  if (hasId(columns)) return;
  const id = findLikelyIdColumn(header);
  throw usageError(`${name} has no column for subscriberId.`, {
    hint: explainHeader(header) ?? (id === undefined ? anyIdHint : idHint(id)),
  });
}

const hasId = (columns: ColumnMap) =>
  columns.some(({ field, place }) => field === 'subscriberId' && place === 'field');

const idHint = (column: string) =>
  `The id is probably in ${quoteName(column)}: --map subscriberId=${shellName(column)}.`;

const anyIdHint = 'Name the column with the id: --map subscriberId=<column>.';

const idNames = ['id', 'userid', 'externalid', 'customerid', 'uid', 'uuid', 'user', 'key'];

/** The column that most likely contains the id. */
function findLikelyIdColumn(header: readonly string[]): string | undefined {
  const plain = header.map(normalizeName);
  const at = idNames.map((name) => plain.indexOf(name)).find((index) => index >= 0);
  return header[at ?? plain.findIndex((name) => name.endsWith('id'))];
}

/** A hint if the header looks like it has another delimiter, or like a row. */
function explainHeader(header: readonly string[]): string | undefined {
  const delimiter = header.length === 1 ? /[|,;\t^~:]/.exec(header.join(''))?.[0] : undefined;
  if (delimiter !== undefined) {
    return `The header has only one column. Set the delimiter: --delimiter ${delimiter === '\t' ? 'tab' : shellWord(delimiter).replace(/^[,:]$/, "'$&'")}.`;
  }
  return missingHeaderHint(header);
}
