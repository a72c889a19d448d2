// CSV columns → subscriberFields of a subscriber, without regard to case, blanks, `_` and `-`.
import { usageError } from '../errors.ts';

/** Where the cell of each column goes; columns that are ignored are left out. */
export type ColumnMap = readonly { index: number; field: string; inData: boolean }[];

export interface ColumnChoices {
  /** `field=Column`, as typed. */
  map: readonly string[];
  /** Columns that go to `data`. */
  dataColumns: readonly string[];
  /** All unknown columns go to `data`. */
  dataRest: boolean;
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
  const chosen = readMap(choices.map, header);
  const columns = header.flatMap((column, index) => {
    if (rejectColumns.has(column)) return [];
    const place = placeOf(column, chosen, choices);
    if (place) return [{ index, ...place }];
    throw unknownColumn(column, header, choices.name);
  });
  refuseTwice(columns, header, choices.name);
  return columns;
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

function placeOf(
  column: string,
  chosen: Map<string, string>,
  { dataColumns, dataRest }: ColumnChoices,
) {
  const field = chosen.get(column);
  if (field !== undefined) return fieldPlace(field);
  if (dataColumns.includes(column)) return { field: column, inData: true };
  const known = subscriberFields.find((name) => plain(name) === plain(column));
  if (known && ![...chosen.values()].includes(known)) return { field: known, inData: false };
  if (/^data\./i.test(column)) return { field: column.slice(5), inData: true };
  return dataRest ? { field: column, inData: true } : undefined;
}

const fieldPlace = (field: string) =>
  field.startsWith('data.') ? { field: field.slice(5), inData: true } : { field, inData: false };

/** `--map email=Mail` → Mail ↦ email. */
function readMap(entries: readonly string[], header: readonly string[]): Map<string, string> {
  return new Map(
    entries.map((entry) => {
      const [field = '', ...rest] = entry.split('=');
      const column = rest.join('=');
      if (!subscriberFields.includes(field) && !field.startsWith('data.')) {
        throw usageError(`--map: \`${field}\` is no field of a subscriber.`, {
          meant: { typed: field, among: subscriberFields },
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

function unknownColumn(column: string, header: readonly string[], name: string) {
  const shown = /\s/.test(column) ? `"${column}"` : column;
  return usageError(`${name} has a column \`${column}\` that is no field of a subscriber.`, {
    meant: { typed: column, among: subscriberFields.filter((field) => !header.includes(field)) },
    hint: `Send it as custom data with --data-column ${shown} (or --data-rest for all such columns), or say what it is with --map <field>=${shown}.`,
  });
}

function refuseTwice(columns: ColumnMap, header: readonly string[], name: string): void {
  const met = new Map<string, string>();
  for (const { index, field, inData } of columns) {
    const key = inData ? `data.${field}` : field;
    const before = met.get(key);
    const column = header[index] ?? '';
    if (before !== undefined)
      throw usageError(`${name}: the columns \`${before}\` and \`${column}\` are both ${key}.`);
    met.set(key, column);
  }
}
