// Columns whose names are not field names: proposes how to send them, and asks on a terminal. Elsewhere --yes or
// --map-file must confirm the proposal.
import type { Context } from '../../app/context.ts';
import { type FieldError, notConfirmed, usageError } from '../../core/errors.ts';
import { closestMatches } from '../../core/suggestions.ts';
import { counted, shorten } from '../../core/text.ts';
import { encodingForError, latin1ToWindows1252 } from '../../input/encodings.ts';
import type { Encoding } from '../../input/formats.ts';
import type { RecordSource } from '../../input/records.ts';
import type { Tone } from '../../output/result.ts';
import { safeText } from '../../output/safe-text.ts';
import { openStyle, wantsColor } from '../../output/style.ts';
import { subscriberFields } from '../operations/columns.ts';
import {
  findAddressType,
  normalizeHeader,
  type ProposedColumn,
  proposeColumns,
  sampleCount,
} from '../operations/propose-columns.ts';
import { assignColumns, explainHeader } from '../operations/subscriber-columns.ts';
import type { FieldOptions } from '../operations/subscribers.ts';
import {
  addMapping,
  chooseMappingFile,
  mappingOfProposal,
  readMappingOptions,
  saveMapping,
  type Targets,
  withMapFile,
} from './column-mapping.ts';
import { notUtf8Text, sampleEncoding } from './confirm-encoding.ts';

export interface MappingOptions extends FieldOptions {
  mapFile?: string;
  saveMap?: string;
  force?: boolean;
  /** Set if a run is resumed: its manifest has the confirmed mapping. */
  resume?: string;
}

export interface ConfirmedColumns {
  options: FieldOptions;
  /** All assigned columns, if a proposal was confirmed. */
  mapping?: Targets;
}

/** Reads --map-file, and confirms a proposal for the remaining columns. */
export async function confirmColumns(
  context: Context,
  source: RecordSource,
  mappingOptions: MappingOptions,
): Promise<ConfirmedColumns> {
  const { saveMap, force } = mappingOptions;
  const mapFile =
    saveMap === undefined ? undefined : chooseMappingFile(context.host, saveMap, force);
  const options = await withMapFile(mappingOptions, context.host.cwd);
  const { proposal, allColumns } = await propose(source, options);
  if (mappingOptions.resume === undefined && options.dataRest)
    await warnAboutAddresses(context, source, options, proposal);
  if (proposal === undefined) return { options };
  const complete = addMapping(options, mappingOfProposal(proposal));
  const mapping = readMappingOptions(complete);
  const save = async () => {
    if (mapFile && context.globals.dryRun === undefined) await saveMapping(mapFile, mapping);
  };
  if (mappingOptions.resume !== undefined) return { options: complete, mapping };
  const phoneRegion = await confirm(context, source, { proposal, allColumns, options }, save);
  return { options: { ...complete, ...phoneRegion }, mapping };
}

/** The columns that the options and names assign to fields or custom data, and the others. */
function assign({ name }: RecordSource, header: readonly string[], options: MappingOptions) {
  const { map = [], dataColumn: dataColumns = [], ignoreColumn: ignoreColumns = [] } = options;
  return assignColumns(header, { map, dataColumns, dataRest: false, ignoreColumns, name });
}

/** The first rows; those that are not UTF-8 in their likely encoding. */
async function sampleRows(source: RecordSource) {
  const records = await source.sample();
  return records.flatMap((record) => {
    const cells = record.isBlank ? undefined : record.cells?.();
    if (cells === undefined) return [];
    if (encodingForError(record.error) !== undefined) return [cells.map(latin1ToWindows1252)];
    return record.error === undefined ? [cells] : [];
  });
}

/** --data-rest sends columns as custom data that no message would be sent to: names those that look like addresses. */
async function warnAboutAddresses(
  context: Context,
  source: RecordSource,
  options: MappingOptions,
  proposal: readonly ProposedColumn[] = [],
): Promise<void> {
  const { header } = source;
  if (header === undefined) return;
  const proposed = new Set(proposal.map(({ column }) => column));
  const rest = assign(source, header, options).unknown.filter((column) => !proposed.has(column));
  if (rest.length === 0) return;
  const rows = await sampleRows(source);
  for (const column of rest) {
    const cells = rows.map((row) => row[header.indexOf(column)] ?? '');
    const field = findAddressType(normalizeHeader(column), cells);
    if (field === undefined || field === 'postal') continue;
    const content = field === 'email' ? 'e-mail addresses' : 'phone numbers';
    context.note(
      `Warning: --data-rest sends the column \`${column}\`, which seems to contain ${content}, as custom data. To change this, use --map or --ignore-column.`,
    );
  }
}

interface Proposal {
  proposal: readonly ProposedColumn[];
  /** All columns, in order. */
  allColumns: readonly TableColumn[];
}

async function propose(
  source: RecordSource,
  options: MappingOptions,
): Promise<Proposal | { proposal: undefined; allColumns: [] }> {
  const none = { proposal: undefined, allColumns: [] as [] };
  const { header } = source;
  if (header === undefined) return none;
  const { dataRest = false } = options;
  const { columns, unknown } = assign(source, header, options);
  // The sender rejects it, with a hint.
  if (unknown.length > 0 && explainHeader(header) !== undefined) return none;
  const filled = new Map(
    columns.flatMap(({ index, field, place }) =>
      place === 'field' ? [[field, header[index] ?? ''] as const] : [],
    ),
  );
  if (filled.has('subscriberId') && (unknown.length === 0 || dataRest)) return none;
  const rows = await sampleRows(source);
  const free = subscriberFields.filter((field) => !filled.has(field));
  const isMistyped = (column: string) => closestMatches(column, free).length > 0;
  const all = proposeColumns({ header, unknown, filled, rows, isMistyped });
  if (all === undefined) return none;
  // --data-rest sends the columns that fill no field.
  const proposal = dataRest
    ? all.filter(({ targets }) => targets.some((target) => !target.startsWith('data.')))
    : all;
  const allColumns = header.flatMap((column, index): TableColumn[] => {
    const proposed = proposal.find((candidate) => candidate.column === column);
    if (proposed) return [proposed];
    const targets = columns
      .filter((matched) => matched.index === index)
      .map(({ field, place }) => (place === 'field' ? field : `${place}.${field}`));
    const samples = rows.slice(0, sampleCount).map((row) => row[index] ?? '');
    return targets.length === 0 ? [] : [{ column, targets, samples, isMatched: true }];
  });
  return { proposal, allColumns };
}

async function confirm(
  context: Context,
  source: RecordSource,
  { proposal, allColumns, options }: Proposal & { options: FieldOptions },
  save: () => Promise<void>,
): Promise<Pick<FieldOptions, 'phoneRegion'>> {
  const { globals, prompt, host } = context;
  const { name } = source;
  const localPhones =
    options.phoneRegion === undefined ? allColumns.find(hasLocalPhones)?.column : undefined;
  const isConfirmed = globals.yes === true || globals.dryRun !== undefined;
  if (!isConfirmed && !prompt.isPossible) {
    await save();
    throw notConfirmedError(name, proposal, {
      encoding: await sampleEncoding(source),
      localPhones,
    });
  }
  const isSilent = isConfirmed && context.settings.quiet;
  if (host.stderr.isTty && !isSilent)
    await host.stderr.write(await proposalText(context, name, allColumns));
  else for (const line of proposalLines(proposal)) context.note(`${line.field} → ${line.message}`);
  const isAsked = !isConfirmed && localPhones !== undefined;
  const phoneRegion = isAsked ? await askPhoneRegion(context, localPhones) : undefined;
  if (!isConfirmed && !(await prompt.confirm('Import the columns like this?')))
    throw notConfirmed({ hint: `Choose other fields${changeHint}` });
  await save();
  return phoneRegion === undefined ? {} : { phoneRegion };
}

/** A national number begins with neither + nor 00. */
const hasLocalPhones = ({ targets, samples }: TableColumn) =>
  targets.includes('phone') && samples.some((cell) => /^\s*(?!\+|00)\S/.test(cell));

const noRegion = '-';

/** Asks until the answer is a country. */
async function askPhoneRegion({ prompt, host }: Context, column: string) {
  const { isPhoneRegion } = await import('../../input/phone-numbers.ts');
  const { LC_ALL, LC_TELEPHONE, LANG } = host.env;
  const own = /_([A-Z]{2})\b/.exec(LC_ALL || LC_TELEPHONE || LANG || '')?.[1];
  const suggested = own !== undefined && isPhoneRegion(own) ? own : noRegion;
  const question = `${column} looks national. Country, such as DE (${noRegion}: send the numbers as they are)?`;
  for (;;) {
    const answer = (await prompt.text(question, suggested)).trim();
    if (answer === noRegion) return undefined;
    if (isPhoneRegion(answer)) return answer.toUpperCase();
  }
}

function notConfirmedError(
  name: string,
  proposal: readonly ProposedColumn[],
  { encoding, localPhones }: { encoding: Encoding | undefined; localPhones: string | undefined },
) {
  const isForId = proposal.some(({ targets }) => targets.includes('subscriberId'));
  const problem = isForId ? 'has no column for subscriberId' : 'has columns that are not fields';
  const start = encoding === undefined ? name : `${notUtf8Text(name, encoding)} It`;
  const encodingHint = encoding === undefined ? '' : `Add --encoding ${encoding}. `;
  const phoneHint =
    localPhones === undefined
      ? ''
      : ` ${localPhones} looks national: add --phone-region with its country, such as --phone-region DE.`;
  const lines = proposalLines(proposal.slice(0, maxListed));
  const others = proposal.length - lines.length;
  return usageError(`${start} ${problem}. Proposed fields:`, {
    fieldErrors:
      others > 0 ? [...lines, { field: '…', message: counted(others, 'more column') }] : lines,
    hint: `${encodingHint}Accept ${encoding === undefined ? 'them' : 'the fields'} with --yes, or change them${changeHint} --save-map mapping.yaml saves them for --map-file.${phoneHint}`,
  });
}

/** Columns that an error lists. */
const maxListed = 50;

const changeHint =
  ' with --map <field>=<column>, --data-column <column> or --ignore-column <column>.';

// Shows proposed columns: as a table with sample rows on a terminal, dim for columns that were matched by name; as one
// line per proposed column elsewhere.

const targetText = ({ column, targets, reason }: ProposedColumn) => {
  if (targets.length === 0) return `not sent: ${reason}`;
  return targets.map((target) => (target === `data.${column}` ? 'custom data' : target)).join(', ');
};

/** One line per column, with its sample cells. */
const proposalLines = (proposal: readonly ProposedColumn[]): FieldError[] =>
  proposal.map((proposed) => {
    const samples = proposed.samples.filter((cell) => cell !== '').map((cell) => shorten(cell));
    const sampleText = samples.length === 0 ? '' : ` (${samples.join(', ')})`;
    return { field: shorten(proposed.column), message: `${targetText(proposed)}${sampleText}` };
  });

/** A proposed column, or one that was matched by its name. */
interface TableColumn extends ProposedColumn {
  isMatched?: boolean;
}

/** The table for a terminal. */
async function proposalText(
  { host: { stderr, env }, settings }: Context,
  name: string,
  allColumns: readonly TableColumn[],
): Promise<string> {
  const { tableText } = await import('../../output/table.ts');
  const style = await openStyle(wantsColor({ isTty: stderr.isTty, ...settings.color, env }), env);
  const columnTone = ({ isMatched, targets }: TableColumn): Tone =>
    isMatched ? 'muted' : targets.length === 0 ? 'warn' : 'good';
  // A row can be empty in all columns that are shown, or missing.
  const sampleRows = [0, 1, 2].filter((row) => allColumns.some(({ samples }) => samples[row]));
  const columns = [
    { header: 'COLUMN', shrink: 12, wrap: true as const },
    { header: 'FIELD', shrink: 12, wrap: true as const },
    ...sampleRows.map((_row, index) => ({
      header: `ROW ${index + 1}`,
      shrink: 6,
      drop: index + 1,
    })),
  ];
  const rows = allColumns.map((column) => [
    { text: safeText(column.column), tone: column.isMatched ? 'muted' : 'strong' } as const,
    { text: safeText(targetText(column)), tone: columnTone(column) },
    ...sampleRows.map((row) => ({
      text: safeText(shorten(column.samples[row] ?? '')),
      tone: 'muted' as const,
    })),
  ]);
  const table = await tableText(columns, rows, { width: stderr.columns, style, header: true });
  return `Proposed fields for columns of ${safeText(name)}:\n\n${table}\n`;
}
