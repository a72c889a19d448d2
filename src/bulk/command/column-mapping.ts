// A mapping of columns to fields: as options, as a proposal, and as a YAML file for --map-file and --save-map.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import { shellWord, shorten } from '../../core/text.ts';
import type { InputRecord, RecordSource } from '../../input/records.ts';
import {
  chooseOutputFile,
  type OutputFile,
  writeOutputFile,
} from '../../platform/files/output-file.ts';
import type { Host } from '../../platform/host.ts';
import type { RowSample } from '../engine/stats.ts';
import { normalizeName } from '../operations/columns.ts';
import { readFieldColumns } from '../operations/map-option.ts';
import type { ProposedColumn } from '../operations/propose-columns.ts';
import type { FieldOptions } from '../operations/subscribers.ts';

/** The options that assign every column. */
export interface ColumnMapping {
  map: readonly string[];
  dataColumn: readonly string[];
  ignoreColumn: readonly string[];
}

/** The targets of each column; an empty list for a column that is not sent. */
export type Targets = readonly (readonly [column: string, targets: readonly string[]])[];

export const mappingOfProposal = (proposal: readonly ProposedColumn[]): ColumnMapping =>
  toMapping(proposal.map(({ column, targets }) => [column, targets]));

/** The targets of all columns that the options assign. */
export function readMappingOptions({
  map = [],
  dataColumn = [],
  ignoreColumn = [],
}: Partial<ColumnMapping>): Targets {
  const all = new Map<string, string[]>();
  const add = (column: string, target: string) =>
    all.set(column, [...(all.get(column) ?? []), target]);
  for (const entry of map)
    add(entry.slice(entry.indexOf('=') + 1), entry.slice(0, entry.indexOf('=')));
  for (const column of dataColumn) add(column, `data.${column}`);
  for (const column of ignoreColumn) all.set(column, []);
  return [...all];
}

function toMapping(columns: Targets): ColumnMapping {
  const isOwnData = (column: string, target: string) => target === `data.${column}`;
  return {
    map: columns.flatMap(([column, targets]) =>
      targets.filter((target) => !isOwnData(column, target)).map((target) => `${target}=${column}`),
    ),
    dataColumn: columns
      .filter(([column, targets]) => targets.some((target) => isOwnData(column, target)))
      .map(([column]) => column),
    ignoreColumn: columns.filter(([, targets]) => targets.length === 0).map(([column]) => column),
  };
}

export const addMapping = <T extends Partial<ColumnMapping>>(
  options: T,
  mapping: ColumnMapping,
): T => ({
  ...options,
  map: [...(options.map ?? []), ...mapping.map],
  dataColumn: [...(options.dataColumn ?? []), ...mapping.dataColumn],
  ignoreColumn: [...(options.ignoreColumn ?? []), ...mapping.ignoreColumn],
});

const head = `# Columns of the input and the fields of the subscriber that they fill.
# data.<name> is custom data; null is not sent; a list fills several fields.
`;

/** Writes a mapping to the file of --save-map. */
export async function saveMapping(file: OutputFile, columns: Targets): Promise<void> {
  const { writeYaml } = await import('../../core/yaml.ts');
  const members = columns.map(([column, targets]): [string, unknown] => [
    column,
    targets.length > 1 ? targets : (targets[0] ?? null),
  ]);
  writeOutputFile(file, head + writeYaml(new Map(members)));
}

/** The file of --save-map. Throws a usage error if it exists, without --force. */
export const chooseMappingFile = (host: Host, file: string, force: boolean | undefined) =>
  chooseOutputFile(host, file, {
    force,
    otherwise: `Choose another file for --save-map, use the file with --map-file ${shellWord(file)}`,
  });

/** Replaces --map-file by the options in the file. */
export async function withMapFile<T extends FieldOptions & { mapFile?: string }>(
  options: T,
  folder: string,
): Promise<T> {
  if (options.mapFile === undefined) return options;
  const mapping = await readMapping(path.resolve(folder, options.mapFile));
  const { mapFile: _mapFile, ...others } = addMapping(options, mapping);
  return others as T;
}

/** How the columns of a command with fixed fields are assigned. */
export interface FieldMapping {
  /** The entries of --map, and those of --map-file for these fields. */
  map: readonly string[];
  /** Columns that the file assigns to other fields, or to none. */
  others: readonly string[];
}

/** Reads --map and --map-file. A file can be shared with an import, so its other fields are ignored. */
export async function readFieldMapping(
  { map = [], mapFile }: { map?: readonly string[]; mapFile?: string },
  fields: readonly string[],
  folder: string,
): Promise<FieldMapping> {
  if (mapFile === undefined) return { map, others: [] };
  const targets = readMappingOptions(await readMapping(path.resolve(folder, mapFile)));
  const isOwn = (target: string) => fields.includes(target);
  return {
    map: [
      ...map,
      ...targets.flatMap(([column, names]) =>
        names.filter(isOwn).map((field) => `${field}=${column}`),
      ),
    ],
    others: targets.filter(([, names]) => !names.some(isOwn)).map(([column]) => column),
  };
}

/** The source with the columns of the fields. */
export const withFieldColumns = (
  source: RecordSource,
  { map, others }: FieldMapping,
  fields: readonly string[],
): RecordSource => ({
  ...source,
  fieldColumns: readFieldColumns(map, source, fields),
  otherColumns: new Set(others),
});

async function readMapping(file: string): Promise<ColumnMapping> {
  const { parseYaml } = await import('../../core/yaml.ts');
  const { value, errors } = parseYaml(readMapFile(file));
  if (errors.length > 0)
    throw usageError(`--map-file: ${file} is not valid YAML: ${errors.join(', ')}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw usageError(`--map-file: ${file} is not a YAML map of columns.`, {
      hint: 'Write one line for each column, such as `Email Address: email`. --save-map writes such a file.',
    });
  }
  return toMapping(
    Object.entries(value).map(([column, targets]: [string, unknown]) => [
      column,
      readTargets(targets, column, file),
    ]),
  );
}

function readMapFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`--map-file: ${file} cannot be read: ${(error as Error).message}`);
  }
}

function readTargets(value: unknown, column: string, file: string): readonly string[] {
  if (value === null) return [];
  const targets: unknown[] = Array.isArray(value) ? value : [value];
  if (targets.every((target) => typeof target === 'string')) return targets;
  throw usageError(`--map-file: ${file}: the field of \`${column}\` is not text.`, {
    hint: 'Write a field such as email, custom data such as data.plan, or null.',
  });
}

// Shows a rejected row in the report: its line, its id, and the value of the field that the reason begins with.

const maxSampleLength = 60;

/** Returns a function that reads the sample of a record. A reason names its field first: `email: not an e-mail address`. */
export function createSampleReader(
  { header = [] }: Pick<RecordSource, 'header'>,
  options: Partial<ColumnMapping>,
): (record: InputRecord, reason: string) => RowSample {
  const mapped = readMappingOptions(options);
  const columnOf = (field: string) =>
    mapped.find(([, targets]) => targets.includes(field))?.[0] ??
    header.find((name) => normalizeName(name) === normalizeName(field));
  const read = (record: InputRecord, field: string): string | undefined => {
    const { value } = record;
    if (value)
      return isScalar(value[field]) ? shorten(String(value[field]), maxSampleLength) : undefined;
    const column = columnOf(field);
    if (column === undefined) return undefined;
    const cell = record.cells?.()[header.indexOf(column)];
    return cell === undefined ? undefined : shorten(cell, maxSampleLength);
  };
  return (record, reason) => ({
    line: record.line,
    id: read(record, 'subscriberId'),
    value: read(record, /^[\w.]+(?=:)/.exec(reason)?.[0] ?? ''),
  });
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);
