// CSV columns → fields of a subscriber, members of `data` or of a payload, without regard to case, blanks,
// `_` and `-`.
import { usageError } from '../../errors.ts';
import { unknownColumns } from './column-mistakes.ts';

/** Where the cell of each column goes; columns that are ignored are left out. */
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
    throw usageError(`--data-column: there is no column \`${column}\`.`, {
      meant: { typed: column, among: header },
    });
  }
  const unknown: string[] = [];
  const columns = header.flatMap((column, index) => {
    if (rejectColumns.has(column)) return [];
    const place = placeOf(column, chosen, choices);
    if (place) return [{ index, ...place }];
    unknown.push(column);
    return [];
  });
  if (unknown.length > 0) throw unknownColumns(unknown, header, columns, choices);
  refuseTwice(columns, header, choices.name);
  return columns;
}

/** A name without regard to case, blanks, `_` and `-`. */
export const plainName = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

function placeOf(
  column: string,
  chosen: Map<string, string>,
  { dataColumns, dataRest, payload }: ColumnChoices,
): { field: string; place: Place } | undefined {
  const field = chosen.get(column);
  if (field !== undefined) return fieldPlace(field);
  if (dataColumns.includes(column)) return { field: column, place: 'data' };
  const known = subscriberFields.find((name) => plainName(name) === plainName(column));
  if (known && ![...chosen.values()].includes(known)) return { field: known, place: 'field' };
  if (/^data\./i.test(column)) return { field: column.slice(5), place: 'data' };
  if (payload && /^payload\./i.test(column)) return { field: column.slice(8), place: 'payload' };
  return dataRest ? { field: column, place: 'data' } : undefined;
}

function fieldPlace(field: string): { field: string; place: Place } {
  if (field.startsWith('data.')) return { field: field.slice(5), place: 'data' };
  if (field.startsWith('payload.')) return { field: field.slice(8), place: 'payload' };
  return { field, place: 'field' };
}

/** `--map email=Mail` → Mail ↦ email. */
function readMap({ map, payload }: ColumnChoices, header: readonly string[]): Map<string, string> {
  const inside = payload ? /^(data|payload)\./ : /^data\./;
  return new Map(
    map.map((entry) => {
      const [field = '', ...rest] = entry.split('=');
      const column = rest.join('=');
      if (!subscriberFields.includes(field) && !inside.test(field)) {
        const isTurned = header.includes(field) && subscriberFields.includes(column);
        throw usageError(`--map: \`${field}\` is no field of a subscriber.`, {
          meant: { typed: field, among: subscriberFields },
          hint: isTurned
            ? `The field comes first: --map ${column}=${field}.`
            : `The fields are ${subscriberFields.join(', ')}, data.<name>.`,
        });
      }
      if (!header.includes(column)) {
        throw usageError(`--map: there is no column \`${column}\`.`, {
          meant: { typed: column, among: header },
        });
      }
      return [column, field];
    }),
  );
}

function refuseTwice(columns: ColumnMap, header: readonly string[], name: string): void {
  const met = new Map<string, string | undefined>();
  for (const { index, field, place } of columns) {
    const key = place === 'field' ? field : `${place}.${field}`;
    if (met.has(key)) {
      throw usageError(
        `${name}: the columns \`${met.get(key)}\` and \`${header[index]}\` are both ${key}.`,
      );
    }
    met.set(key, header[index]);
  }
}
