// What is wrong with the columns of an input, all of it at once, and the options that put it right.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import {
  type ColumnChoices,
  type ColumnMap,
  plainName,
  subscriberFields,
} from './subscriber-columns.ts';

const longest = 40;
const mostNamed = 8;

const shortened = (column: string) =>
  column.length > longest ? `${column.slice(0, longest)}…` : column;
const named = (column: string) => `\`${shortened(column)}\``;
const typed = (column: string) => shellWord(shortened(column));

export function unknownColumns(
  unknown: readonly string[],
  header: readonly string[],
  columns: ColumnMap,
  { name, payload }: Pick<ColumnChoices, 'name' | 'payload'>,
) {
  const among = subscriberFields.filter((field) => !header.includes(field));
  const suggestions = unknown.map((column) => ({ input: column, candidates: among }));
  const clue = clueOf(header);
  const id = hasId(columns) ? undefined : likelyId(unknown);
  const [first = ''] = unknown.filter((column) => column !== id);
  const others = unknown.filter((column) => column !== id);
  const shown = typed(first);
  const isShort = others.length <= mostNamed && others.every((one) => /^[\w.-]{1,40}$/.test(one));
  const all = isShort ? others.join(',') : shown;
  const elsewhere = payload
    ? `Send it in the payload with --map payload.<name>=${shown}`
    : `Send it as custom data with --data-column ${all} (or --data-rest for all such columns)`;
  const rest = first === '' ? [] : [`${elsewhere}, or say what it is with --map <field>=${shown}.`];
  const hint = clue ?? [...(id === undefined ? [] : [idHint(id)]), ...rest].join(' ');
  if (suggestions.length === 1) {
    return usageError(`${name} has an unknown column ${named(unknown.join(''))}.`, {
      suggestion: { input: unknown.join(''), candidates: among },
      hint,
    });
  }
  const some = unknown.slice(0, mostNamed).map(named).join(', ');
  const more = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} more` : '';
  return usageError(`${name} has ${unknown.length} unknown columns: ${some}${more}.`, {
    suggestions,
    hint,
  });
}

/** Refuses an input without the one column that must be there. */
export function requireId(columns: ColumnMap, header: readonly string[], name: string): void {
  if (hasId(columns)) return;
  const id = likelyId(header);
  throw usageError(`${name} has no column for subscriberId.`, {
    hint:
      clueOf(header) ??
      (id === undefined
        ? 'Name the column that holds it with --map subscriberId=<column>.'
        : idHint(id)),
  });
}

const hasId = (columns: ColumnMap) =>
  columns.some(({ field, place }) => field === 'subscriberId' && place === 'field');

const idHint = (column: string) =>
  `The id is probably in ${named(column)}: --map subscriberId=${typed(column)}.`;

const idNames = ['id', 'userid', 'externalid', 'customerid', 'uid', 'uuid', 'user', 'key'];

/** The column that most likely holds the id. */
function likelyId(header: readonly string[]): string | undefined {
  const plain = header.map(plainName);
  const at = idNames.map((name) => plain.indexOf(name)).find((index) => index >= 0);
  return header[at ?? plain.findIndex((name) => name.endsWith('id'))];
}

/** What a header tells of another separator, or of being none. */
function clueOf(header: readonly string[]): string | undefined {
  const mark = header.length === 1 ? /[|,;\t^~:]/.exec(header.join(''))?.[0] : undefined;
  if (mark !== undefined) {
    return `There is one column alone. Say what stands between the cells: --delimiter ${mark === '\t' ? 'tab' : shellWord(mark).replace(/^[,:]$/, "'$&'")}.`;
  }
  if (!header.some((cell) => /^\d+$|@.*\./.test(cell))) return undefined;
  return 'The first line looks like a row. It has to name the columns, such as subscriberId,email.';
}
