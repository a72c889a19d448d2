// Assigns CSV columns to fields of a subscriber or to members of `data` or `payload`. Column names match regardless of
// case, blanks, `_` and `-`.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/text.ts';
import { checkedPath } from '../../input/assignments.ts';
import { unknownColumnsError } from './column-errors.ts';
import {
  type ColumnMap,
  type ColumnOptions,
  dataObjectColumn,
  isIgnoredColumn,
  normalizeName,
  type Place,
  subscriberFields,
} from './columns.ts';
import { readMap } from './map-option.ts';

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
