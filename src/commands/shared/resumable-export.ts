// Exports a listing to a file: the format follows from the name, an interrupted export continues with --resume, and the
// file gets its name when it is complete.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../app/context.ts';
import { createRunTarget } from '../../bulk/command/run-target.ts';
import {
  type ExportPosition,
  type ExportState,
  openExportFile,
  readState,
} from '../../bulk/journal/export-file.ts';
import { listTargetChanges, type RunTarget, targetHint } from '../../bulk/journal/run-target.ts';
import { optionText } from '../../cli/spelling.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { stringifyExact } from '../../core/lossless-json.ts';
import { counted, listText, shellWord } from '../../core/text.ts';
import { csvLines, toCells } from '../../output/lines.ts';
import { masked } from '../../output/mask.ts';
import type { Column } from '../../output/result.ts';
import { chooseOutputFile } from '../../platform/files/output-file.ts';

export type ExportFormat = 'ndjson' | 'csv';

/** A part of the listing. */
export interface ExportChunk<P extends ExportPosition> {
  /** The text for the file, and for each file beside it. */
  texts: readonly string[];
  /** The position after this part. */
  position: P;
}

export interface ExportSource<P extends ExportPosition> {
  /** Stored for a resumed export. */
  query: Record<string, unknown>;
  /** The first text of the file, and of each file beside it. */
  headers: readonly string[];
  chunks(from: P): AsyncIterable<ExportChunk<P>>;
}

export interface ExportCommand<P extends ExportPosition> {
  /** `activity export`. */
  command: string;
  /** As given. */
  file: string;
  /** The options as given, without --resume. */
  options: Record<string, unknown>;
  resume: boolean;
  force: boolean;
  /** The header of a CSV file, and members of each NDJSON item, to recognize an earlier export. */
  fields: readonly string[];
  members: readonly string[];
  /** The CSV files beside it. */
  beside?: readonly { file: string; fields: readonly string[] }[];
  start: P;
  /** Called once; `stored` is the state of an interrupted export. */
  open(format: ExportFormat, stored: ExportState | undefined): Promise<ExportSource<P>>;
}

/** Returns the format and the number of items in the file. */
export async function exportToFile<P extends ExportPosition>(
  context: Context,
  { file, options, resume, force, fields, members, beside = [], ...command }: ExportCommand<P>,
): Promise<{ format: ExportFormat; position: P }> {
  const format = chooseFormat(file);
  const outputOf = (name: string, isOwn: (start: string) => boolean) =>
    chooseOutputFile(context.host, name, { isOwn, force });
  const output = outputOf(file, format === 'csv' ? hasHeader(fields) : hasMembers(members));
  const besides = beside.map((part) => outputOf(part.file, hasHeader(part.fields)));
  const targets = [output, ...besides] as const;
  const replaced = targets.flatMap(({ replaces, shownAs }) => (replaces ? shownAs : []));
  const { host, connection, note, globals } = context;
  const { reveal, csvSafe } = globals;
  const usedOptions = Object.fromEntries(
    Object.entries({ ...options, reveal, csvSafe }).filter(([, value]) => value !== undefined),
  );
  const stored = readState(
    output.path,
    besides.map(({ path: name }) => name),
  );
  const writer = host.newId();
  const runId = stored?.target?.runId ?? writer;
  const runTarget = { ...(await createRunTarget(context, runId)), runId };
  const resumeLine = (filters: Record<string, unknown>) =>
    `svc ${command.command} ${shellWord(file)}${optionText(filters)} --resume${force ? ' --force' : ''}`;
  if (stored)
    checkStored(context, {
      file,
      usedOptions,
      stored,
      resume,
      current: runTarget,
      command: command.command,
      line: resumeLine(stored.filters),
    });
  if (replaced.length > 0 && !force && !(resume && stored))
    await context.confirm(`Replace ${replaced.join(', ')}`, undefined, 'on this machine');
  if (resume && !stored) context.note(`Nothing to resume; starting a new export to ${file}.`);

  const filters = stored?.filters ?? usedOptions;
  const source = await command.open(format, stored);
  const start = (stored?.position as P | undefined) ?? command.start;
  let position = start;
  const baseUrl = connection.target().baseUrl.value;
  const files = openExportFile(targets, stored, writer);
  const content = () => ({
    version: 1 as const,
    ...(command.command === unnamedCommand ? {} : { command: command.command }),
    baseUrl,
    target: runTarget,
    filters,
    query: source.query,
    position,
  });
  const line = resumeLine(filters);
  const { showReading } = await import('../../output/progress-line.ts');
  const progress = showReading(context, start.items);
  const onShutdown = () => note(`Interrupted. To continue: ${context.propose(line)}`);
  host.shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  try {
    if (!stored) files.append(source.headers, content());
    for await (const chunk of stored?.isComplete ? [] : source.chunks(start)) {
      const added = chunk.position.items - position.items;
      position = chunk.position;
      files.append(chunk.texts, content());
      progress.add(added);
    }
    files.finish(content());
    return { format, position };
  } catch (error) {
    if (error instanceof SvcError && position.items > 0) throw error.with({ next: [line] });
    throw error;
  } finally {
    progress.stop();
    host.shutdownSignal.removeEventListener('abort', onShutdown);
    files.close();
  }
}

const hasHeader = (fields: readonly string[]) => (start: string) =>
  start.split(/\r?\n/, 1)[0] === fields.join(',');

const hasMembers = (members: readonly string[]) => (start: string) =>
  start.startsWith('{') && members.every((member) => start.includes(`"${member}":`));

/** The state of this command has no name. */
const unnamedCommand = 'activity export';

const formats: Record<string, ExportFormat> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

function chooseFormat(file: string): ExportFormat {
  const format = formats[path.extname(file).toLowerCase()];
  if (format) return format;
  throw usageError(`The name \`${file}\` does not say the format of the export.`, {
    hint: 'Use a name that ends with .ndjson, .jsonl or .csv, or - for standard output.',
  });
}

interface Stored {
  command: string;
  file: string;
  usedOptions: Record<string, unknown>;
  stored: ExportState;
  resume: boolean;
  /** The service and environment in use. */
  current: RunTarget;
  line: string;
}

/** These options change the content of the file, so they cannot be omitted like filters. */
const formOptions = ['with', 'reveal', 'csvSafe'];

const isForm = ([name]: [string, unknown]) => formOptions.includes(name);

/** Whether the options are equal. Without filters, those of the interrupted export apply. */
function isSameExport(
  usedOptions: Record<string, unknown>,
  stored: Record<string, unknown>,
): boolean {
  const hasFilters = !Object.entries(usedOptions).every(isForm);
  const compared = Object.entries(stored).filter((option) => hasFilters || isForm(option));
  return isDeepStrictEqual(usedOptions, Object.fromEntries(compared));
}

/** An interrupted export continues only on request, and only with its own options, service and environment. */
function checkStored(
  { connection }: Context,
  { command, file, usedOptions, stored, resume, current, line }: Stored,
): void {
  const startAgain = `delete ${file}.partial to start again`;
  const { command: storedCommand = unnamedCommand } = stored;
  if (storedCommand !== command)
    throw usageError(`An export to ${file} by \`svc ${storedCommand}\` was interrupted.`, {
      hint: `Use another file, or ${startAgain}.`,
    });
  if (!resume)
    throw usageError(
      `An export to ${file} was interrupted after ${counted(stored.position.items, 'item')}.`,
      { hint: `Continue it with --resume, or ${startAgain}.`, next: [line] },
    );
  if (!isSameExport(usedOptions, stored.filters))
    throw usageError(`The interrupted export to ${file} has other filters or options.`, {
      hint: `Use the same ones, or ${startAgain}. Filters can also be omitted.`,
      next: [line],
    });
  const baseUrl = connection.target().baseUrl.value;
  if (baseUrl !== stored.baseUrl)
    throw usageError(
      `The interrupted export to ${file} reads from ${stored.baseUrl}, not ${baseUrl}.`,
      { hint: `Select the profile of that service, or ${startAgain}.` },
    );
  const { target } = stored;
  const changes = target ? listTargetChanges(target, current) : ['the environment'];
  if (changes.length > 0)
    throw usageError(
      `The export to ${file} cannot be resumed: ${listText(changes)} changed since it started.`,
      { hint: target ? targetHint(target, current, startAgain) : `To continue, ${startAgain}.` },
    );
}

export interface PageFormatter<T> {
  header: string;
  page(items: readonly T[]): Promise<string>;
}

/** Formats whole items as NDJSON, or columns as CSV. Secrets are masked without --reveal. */
export async function pageFormatter<T extends object>(
  { globals: { reveal, csvSafe = false } }: Context,
  format: ExportFormat,
  columns: readonly Column<T>[],
): Promise<PageFormatter<T>> {
  const maskItem = (item: T) => (reveal ? item : masked(item));
  if (format === 'csv')
    return {
      header: csvLines([columns.map(({ field }) => field)], csvSafe),
      page: async (items) =>
        csvLines(
          items.map((item) => toCells(maskItem(item), columns)),
          csvSafe,
        ),
    };
  return {
    header: '',
    page: async (items) => items.map((item) => `${stringifyExact(maskItem(item))}\n`).join(''),
  };
}
