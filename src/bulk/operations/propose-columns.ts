// Proposes how to send columns whose names are not field names: as a field, as custom data, or not at all. A proposal
// must be confirmed.
import { isLocale, isTimeZone } from '../../service/rules/formats.ts';
import { findAddressType } from './address-columns.ts';
import { exportHeaders, type HeaderTarget, normalizeHeader } from './export-headers.ts';

export interface ProposedColumn {
  column: string;
  /** Fields, or `data.<column>`; empty if the column is not sent. */
  targets: readonly string[];
  /** Why the column is not sent. */
  reason?: string;
  /** Cells of the first rows. */
  samples: readonly string[];
}

export interface ProposalInput {
  header: readonly string[];
  /** Columns without a target. */
  unknown: readonly string[];
  /** Fields that other columns fill, with the column. */
  filled: ReadonlyMap<string, string>;
  /** Rows that were read ahead. */
  rows: readonly (readonly string[])[];
  /** Whether the name of a column resembles a field that is not filled. */
  isMistyped: (column: string) => boolean;
}

export const sampleCount = 3;

/** Fields with a restricted format: a column is proposed only if its cells are valid. */
const validators: Partial<Record<HeaderTarget, (cell: string) => boolean>> = {
  locale: isLocale,
  timezone: isTimeZone,
};

/** Returns a proposal for all unknown columns; undefined if none of them can be recognized. */
export function proposeColumns(input: ProposalInput): readonly ProposedColumn[] | undefined {
  const { header, unknown, filled, rows, isMistyped } = input;
  const readCells = (column: string) => rows.map((row) => row[header.indexOf(column)] ?? '');
  const isRecognized = (column: string) =>
    knownNames.has(normalizeHeader(column)) ||
    findAddressType(normalizeHeader(column), readCells(column)) !== undefined;
  const columnByField = chooseColumns(input, readCells);
  const emailColumn = columnByField.get('email') ?? filled.get('email');
  const hasId = columnByField.has('subscriberId') || filled.has('subscriberId');
  if (!hasId && emailColumn === undefined) return undefined;
  // A mistyped field must not become custom data.
  if (columnByField.size === 0 && hasId && !unknown.some(isRecognized) && unknown.some(isMistyped))
    return undefined;
  const proposed = (column: string, targets: Pick<ProposedColumn, 'targets' | 'reason'>) => ({
    column,
    ...targets,
    samples: readCells(column).slice(0, sampleCount),
  });
  const columns = unknown.map((column) => {
    const fields = [...columnByField].filter(([, name]) => name === column).map(([field]) => field);
    // Without a column for the id, the e-mail address is the id.
    if (!hasId && column === emailColumn)
      return proposed(column, { targets: ['subscriberId', 'email'] });
    if (fields.length > 0) return proposed(column, { targets: fields });
    return proposed(column, otherTargets(column, columnByField, input, readCells(column)));
  });
  if (hasId || emailColumn === undefined || unknown.includes(emailColumn)) return columns;
  return [proposed(emailColumn, { targets: ['subscriberId', 'email'] }), ...columns];
}

/** Chooses at most one column for each field that is not filled. */
function chooseColumns(
  { header, unknown, filled }: ProposalInput,
  cellsOf: (column: string) => readonly string[],
): Map<string, string> {
  const normalized = new Map(unknown.map((column) => [normalizeHeader(column), column]));
  const all = new Set(header.map(normalizeHeader));
  const columnByField = new Map<string, string>();
  const used = new Set<string>();
  for (const { header: name, target, onlyWith } of exportHeaders) {
    const column = normalized.get(normalizeHeader(name));
    if (column === undefined || target === 'data' || target === 'none') continue;
    if (filled.has(target) || columnByField.has(target) || used.has(column)) continue;
    if (onlyWith !== undefined && !all.has(normalizeHeader(onlyWith))) continue;
    const isValid = validators[target];
    if (isValid && !cellsOf(column).every((cell) => cell === '' || isValid(cell.trim()))) continue;
    columnByField.set(target, column);
    used.add(column);
  }
  for (const field of ['email', 'phone'] as const) {
    if (filled.has(field) || columnByField.has(field)) continue;
    const column = unknown.find(
      (name) => !used.has(name) && findAddressType(normalizeHeader(name), cellsOf(name)) === field,
    );
    if (column === undefined) continue;
    columnByField.set(field, column);
    used.add(column);
  }
  return columnByField;
}

const knownNames = new Set(exportHeaders.map(({ header }) => normalizeHeader(header)));

const unsentNames = new Set(
  exportHeaders
    .filter(({ target }) => target === 'none')
    .map(({ header }) => normalizeHeader(header).replace(/\d+/g, '')),
);

const descriptions = {
  email: 'looks like an e-mail address',
  phone: 'looks like a phone number',
  postal: 'looks like an address',
};

/** The targets of a column that fills no field. */
function otherTargets(
  column: string,
  columnByField: ReadonlyMap<string, string>,
  { filled }: ProposalInput,
  cells: readonly string[],
): Pick<ProposedColumn, 'targets' | 'reason'> {
  const name = normalizeHeader(column);
  if (unsentNames.has(name.replace(/\d+/g, ''))) return { targets: [], reason: 'is only a label' };
  const field = findAddressType(name, cells);
  if (field === undefined) return { targets: [`data.${column}`] };
  const other = columnByField.get(field) ?? filled.get(field);
  const otherText = other === undefined ? '' : `; ${field} is filled from ${other}`;
  return { targets: [], reason: `${descriptions[field]}${otherText}` };
}
