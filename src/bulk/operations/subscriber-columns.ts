// CSV columns → fields of a subscriber, members of `data` or of a payload, without regard to case, blanks,
// `_` and `-`.
import { usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { unknownColumns } from './column-errors.ts';
import { readMap } from './map-option.ts';

/** Where the cell of each column goes: nowhere when it is ignored, to several places when it feeds several fields. */
export type ColumnMap = readonly { index: number; field: string; place: Place }[];

export type Place = 'field' | 'data' | 'payload';

export interface ColumnChoices {
  /** `field=Column`, as typed. */
  map: readonly string[];
  /** Columns that go to `data`. */
  dataColumns: readonly string[];
  /** All unknown columns go to `data`. */
  dataRest: boolean;
  /** `payload.*` columns go to the payload of the event that a row makes. */
  payload?: boolean;
  name: string;
}

/** Fields of a subscriber that a column can hold. */
export const subscriberFields = [
  'subscriberId',
  'firstName',
  'lastName',
  'email',
  'phone',
  'avatar',
  'locale',
  'timezone',
];

/** What a rejects file adds to a row. */
export const rejectColumns = new Set(['_line', '_error']);

export function mapColumns(header: readonly string[], choices: ColumnChoices): ColumnMap {
  const chosen = readMap(choices, header);
  for (const column of choices.dataColumns) {
    if (header.includes(column)) continue;
    throw usageError(`--data-column: ${choices.name} has no column \`${column}\`.`, {
      suggestion: { input: column, candidates: header },
    });
  }
  const unknown: string[] = [];
  const columns = header.flatMap((column, index) => {
    if (rejectColumns.has(column) && !chosen.has(column)) return [];
    const places = placesOf(column, chosen, choices);
    if (places.length === 0) unknown.push(column);
    return places.map((place) => ({ index, ...place }));
  });
  if (unknown.length > 0) throw unknownColumns(unknown, header, columns, choices);
  refuseTwice(columns, header, choices.name);
  return columns;
}

/** A name without regard to case, blanks, `_` and `-`. */
export const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

interface Target {
  field: string;
  place: Place;
}

/** What the options say of a column, and the field of its own name unless another column takes that field. */
function placesOf(
  column: string,
  chosen: ReadonlyMap<string, readonly string[]>,
  { dataColumns, dataRest, payload }: ColumnChoices,
): Target[] {
  const mapped = (chosen.get(column) ?? []).map(fieldPlace);
  const data: Target = { field: column, place: 'data' };
  const own = dataColumns.includes(column) ? data : ownPlace(column, payload === true);
  const isTaken = own?.place === 'field' && [...chosen.values()].flat().includes(own.field);
  const isMapped = mapped.some(({ field, place }) => field === own?.field && place === own.place);
  if (own && !isTaken && !isMapped) return [...mapped, own];
  return mapped.length > 0 || !dataRest ? mapped : [data];
}

/** The field that a column's name stands for. */
function ownPlace(column: string, payload: boolean): Target | undefined {
  const known = subscriberFields.find((name) => plainName(name) === plainName(column));
  if (known) return { field: known, place: 'field' };
  if (/^data\./i.test(column)) return { field: column.slice(5), place: 'data' };
  if (payload && /^payload\./i.test(column)) return { field: column.slice(8), place: 'payload' };
  return undefined;
}

/** `data.plan`, as typed in `--map`. */
function fieldPlace(field: string): Target {
  if (field.startsWith('data.')) return { field: field.slice(5), place: 'data' };
  if (field.startsWith('payload.')) return { field: field.slice(8), place: 'payload' };
  return { field, place: 'field' };
}

function refuseTwice(columns: ColumnMap, header: readonly string[], name: string): void {
  const met = new Map<string, string | undefined>();
  for (const { index, field, place } of columns) {
    const key = place === 'field' ? field : `${place}.${field}`;
    if (met.has(key)) {
      const [one = '', other = ''] = [met.get(key), header[index]];
      throw usageError(`${name}: the columns \`${one}\` and \`${other}\` both go to ${key}.`, {
        hint:
          place === 'field'
            ? `Choose one with --map ${key}=${shellWord(one)}, and send the other as custom data with --data-column ${shellWord(other)}.`
            : 'Rename one of them, or take it out.',
      });
    }
    met.set(key, header[index]);
  }
}
