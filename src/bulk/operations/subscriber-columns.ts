// Assigns CSV columns to fields of a subscriber or to members of `data` or `payload`. Column names match regardless of
// case, blanks, `_` and `-`.
import { usageError } from '../../core/errors.ts';
import { shellWord, shorten } from '../../core/text.ts';
import { checkedPath } from '../../input/assignments.ts';
import { missingHeaderHint } from '../../input/csv.ts';
import {
  type ColumnMap,
  type ColumnOptions,
  dataObjectColumn,
  indexOfField,
  isIgnoredColumn,
  normalizeName,
  type Place,
  subscriberFields,
} from './columns.ts';
import { listColumns, maxListedColumns, quoteName, readMap } from './map-option.ts';

export function mapColumns(header: readonly string[], choices: ColumnOptions): ColumnMap {
  const { columns, unknown } = assignColumns(header, choices);
  if (unknown.length > 0) throw unknownColumnsError(unknown, header, columns, choices);
  refuseSharedTargets(columns, header, choices.name);
  return columns;
}

/** Assigns the columns to targets, by options and by name. `unknown` are the columns without a target. */
export function assignColumns(
  header: readonly string[],
  choices: ColumnOptions,
): { columns: ColumnMap; unknown: string[] } {
  const { ignoreColumns = [], dataColumns, map, name, payload } = choices;
  const places = payload ? ['data', 'payload'] : ['data'];
  const chosen = readMap({ map, name, fields: subscriberFields, places }, header);
  requireColumns(dataColumns, header, { name, option: '--data-column' });
  requireColumns(ignoreColumns, header, { name, option: '--ignore-column' });
  const unknown: string[] = [];
  const columns = header.flatMap((column, index) => {
    // A later column with the same name has the same values, or is not sent.
    if (header.indexOf(column) !== index) return [];
    const isIgnored = column === '' || ignoreColumns.includes(column) || isIgnoredColumn(column);
    if (isIgnored && !chosen.has(column) && !dataColumns.includes(column)) return [];
    const places = findTargets(column, chosen, choices);
    if (places.length === 0) unknown.push(column);
    return places.map((target) => ({ index, ...target, ...nestedPath(target, name) }));
  });
  return { columns, unknown };
}

/** The path of a dotted target, unless it is only a name with a dot, such as `Nr.` or `St. Name`. */
function nestedPath({ field, place }: Target, source: string): { path?: readonly string[] } {
  if (place === 'field' || !field.includes('.')) return {};
  const path = checkedPath(field, source);
  return path.every((name) => name !== '' && name === name.trim()) ? { path } : {};
}

function requireColumns(
  columns: readonly string[],
  header: readonly string[],
  { name, option }: { name: string; option: string },
): void {
  for (const column of columns) {
    if (header.includes(column)) continue;
    throw usageError(`${option}: ${name} has no column \`${column}\`.`, {
      suggestion: { input: column, candidates: header },
    });
  }
}

interface Target {
  field: string;
  place: Place;
}

/** Targets from the options, plus the target by column name unless another column is mapped to that field. */
function findTargets(
  column: string,
  chosen: ReadonlyMap<string, readonly string[]>,
  { dataColumns, dataRest, payload }: ColumnOptions,
): Target[] {
  const mapped = (chosen.get(column) ?? []).map(parseTarget);
  const data: Target = { field: column, place: 'data' };
  const named = dataColumns.includes(column) ? data : targetByName(column, payload === true);
  const isTaken = named?.place === 'field' && [...chosen.values()].flat().includes(named.field);
  const isMapped = mapped.some(
    ({ field, place }) => field === named?.field && place === named.place,
  );
  if (named && !isTaken && !isMapped) return [...mapped, named];
  return mapped.length > 0 || !dataRest ? mapped : [data];
}

/** The target that follows from the name of a column. */
function targetByName(column: string, payload: boolean): Target | undefined {
  const field = subscriberFields.find((name) => normalizeName(name) === normalizeName(column));
  if (field) return { field, place: 'field' };
  if (column === dataObjectColumn) return { field: column, place: 'field' };
  if (/^data\./i.test(column)) return { field: column.slice(5), place: 'data' };
  if (payload && /^payload\./i.test(column)) return { field: column.slice(8), place: 'payload' };
  return undefined;
}

/** Parses the field in a `--map` option, such as `data.plan`. */
function parseTarget(field: string): Target {
  if (field.startsWith('data.')) return { field: field.slice(5), place: 'data' };
  if (field.startsWith('payload.')) return { field: field.slice(8), place: 'payload' };
  return { field, place: 'field' };
}

function refuseSharedTargets(columns: ColumnMap, header: readonly string[], name: string): void {
  const columnByTarget = new Map<string, string | undefined>();
  for (const { index, field, place } of columns) {
    const key = place === 'field' ? field : `${place}.${field}`;
    if (columnByTarget.has(key)) {
      const [first = '', second = ''] = [columnByTarget.get(key), header[index]];
      throw usageError(`${name}: the columns \`${first}\` and \`${second}\` both go to ${key}.`, {
        hint:
          place === 'field'
            ? `Choose one with --map ${key}=${shellWord(first)}, and send the other as custom data with --data-column ${shellWord(second)}, or not at all with --ignore-column ${shellWord(second)}.`
            : 'Rename or remove one of them.',
      });
    }
    columnByTarget.set(key, header[index]);
  }
  for (const { index, place, path = [] } of columns)
    for (let length = 1; length < path.length; length += 1) {
      const parent = [place, ...path.slice(0, length)].join('.');
      if (!columnByTarget.has(parent)) continue;
      const both = [columnByTarget.get(parent) ?? '', header[index] ?? ''];
      const names = both.sort((a, b) => header.indexOf(a) - header.indexOf(b));
      throw usageError(
        `${name}: the columns ${names.map((column) => `\`${column}\``).join(' and ')} cannot both be sent: ${parent} would be a value and an object.`,
        {
          hint: `Rename one of them, or leave it out with --ignore-column ${shellWord(names[1] ?? '')}.`,
        },
      );
    }
}

// Errors about the columns of an input. Reports all unknown columns at once, with the options to fix them.

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
  const idHints = hasId(columns) ? [] : [idHint(idColumn, header)];
  const fileHints = payload ? ['To use a saved mapping, add --map-file <file>.'] : [];
  const hint = headerHint ?? [...idHints, ...rest, ...fileHints].join(' ');
  if (suggestions.length === 1) {
    return usageError(`${name} has an unknown column ${quoteName(unknown.join(''))}.`, {
      suggestion: { input: unknown.join(''), candidates },
      hint,
    });
  }
  return usageError(`${name} has ${unknown.length} unknown columns: ${listColumns(unknown)}.`, {
    suggestions,
    hint,
  });
}

/** Throws a usage error if the input has no column for the subscriber id. */
export function requireId(columns: ColumnMap, header: readonly string[], name: string): void {
  if (hasId(columns)) return;
  const id = findLikelyIdColumn(header);
  throw usageError(`${name} has no column for subscriberId.`, {
    hint: explainHeader(header) ?? idHint(id, header),
  });
}

const hasId = (columns: ColumnMap) => indexOfField(columns, 'subscriberId') >= 0;

function idHint(column: string | undefined, header: readonly string[]): string {
  if (column !== undefined)
    return `The id is probably in ${quoteName(column)}: --map subscriberId=${shellName(column)}.`;
  if (header.length === 1)
    return 'If the first line is an id, add --columns subscriberId. If it is the name of the column: --map subscriberId=<column>.';
  return 'Name the column with the id: --map subscriberId=<column>.';
}

const idNames = ['id', 'userid', 'externalid', 'customerid', 'uid', 'uuid', 'user', 'key'];

/** The column that most likely contains the id. */
function findLikelyIdColumn(header: readonly string[]): string | undefined {
  const plain = header.map(normalizeName);
  const at = idNames.map((name) => plain.indexOf(name)).find((index) => index >= 0);
  return header[at ?? plain.findIndex((name) => name.endsWith('id'))];
}

/** A hint if the header looks like it has another delimiter, or like a row. */
export function explainHeader(header: readonly string[]): string | undefined {
  const delimiter = header.length === 1 ? /[|,;\t^~:]/.exec(header.join(''))?.[0] : undefined;
  if (delimiter !== undefined) {
    return `The header has only one column. Set the delimiter: --delimiter ${delimiter === '\t' ? 'tab' : shellWord(delimiter).replace(/^[,:]$/, "'$&'")}.`;
  }
  return missingHeaderHint(header);
}
