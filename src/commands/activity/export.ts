// `svc activity export`
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { optionText } from '../../cli/option-words.ts';
import { flag, required } from '../../cli/options.ts';
import { counted } from '../../core/counts.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import { shellWord } from '../../core/shell-word.ts';
import { toJson } from '../../output/json.ts';
import { cellsOf, csvLines } from '../../output/lines.ts';
import { masked } from '../../output/mask.ts';
import type { Column } from '../../output/result.ts';
import * as result from '../../output/result.ts';
import { safeJson } from '../../output/safe-text.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { createDigestEvents } from '../shared/digest-events.ts';
import { checkTarget, type ExportState, openExportFile, readState } from './export-file.ts';
import { advance, itemsAfter, startPosition, upperBound } from './export-position.ts';
import { type ActivityFilters, activityFilters, activityQuery } from './filters.ts';
import { activityPages } from './pages.ts';
import { activityColumns } from './view.ts';

export const exportActivity = command({
  summary: 'Export all events with their jobs and execution details to a file',
  details: `Writes every event that matches once, newest first. Events that arrive during the export are not included. The file gets its name when it is complete; until then the items are in <file>.partial. svc asks before it replaces a file.

The extension decides the format: .ndjson or .jsonl for whole items, .csv for the columns of \`svc activity list\`. Secrets are masked unless you add --reveal. An export that was interrupted continues with --resume, with the same filters.`,
  arguments: {
    file: required('<file.ndjson|csv|->', 'The file to write, or - for standard output', 'files'),
  },
  options: {
    ...activityFilters,
    resume: flag('--resume', 'Continue an interrupted export of this file, if there is one'),
  },
  output:
    'The file, its format and the number of items: {file, format, items}. With -, the items: as NDJSON by default, or in the format of -o.',
  fields: ({ args: { file } }) => (file === '-' ? undefined : ['file', 'format', 'items']),
  examples: [
    { line: 'svc activity export activity.ndjson --since 30d', description: 'Export 30 days' },
    {
      line: 'svc activity export activity.csv --workflow welcome --resume',
      description: 'Export one workflow for a spreadsheet; run it again after an interruption',
    },
    {
      line: 'svc activity export - | gzip > activity.ndjson.gz',
      description: 'Compress the export',
    },
  ],
  operations: ['listActivity', 'getActivity', 'getWorkflow', 'listWorkflows'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'write',
  async run(context, { args: { file }, options: { resume = false, ...filters } }) {
    if (file === '-') return printAll(context, filters, resume);
    const format = formatOf(file);
    const target = path.resolve(context.host.cwd, file);
    const isReplaced = checkTarget(target);
    const given = Object.fromEntries(
      Object.entries(filters).filter(([, value]) => value !== undefined),
    );
    const stored = readState(target);
    checkStored(context, { file, given, stored, resume });
    if (isReplaced && !(resume && stored)) await context.confirm(`Replace ${file}`);
    if (resume && !stored) context.note(`Nothing to resume; starting a new export to ${file}.`);
    const items = await exportTo(context, { file, target, format, given, stored });
    return result.report({
      value: { file, format, items },
      lines: [`Exported ${counted(items, 'item')} to ${file}.`],
      ids: [file],
    });
  },
});

const formats: Record<string, 'ndjson' | 'csv'> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
};

function formatOf(file: string): 'ndjson' | 'csv' {
  const format = formats[path.extname(file).toLowerCase()];
  if (format) return format;
  throw usageError(`The name \`${file}\` does not say the format of the export.`, {
    hint: 'Use a name that ends with .ndjson, .jsonl or .csv, or - for standard output.',
  });
}

async function printAll(context: Context, filters: ActivityFilters, resume: boolean) {
  if (resume)
    throw usageError('--resume needs a file: an export to standard output cannot continue.');
  const query = await activityQuery(context, filters);
  const digests = createDigestEvents(context);
  return result.list({
    pages: digests.followFor(activityPages(context, query, filters.transaction), 'ndjson'),
    columns: activityColumns(digests.find),
    id: ({ transactionId }) => transactionId,
    empty: 'No events match.',
    defaultFormat: 'ndjson',
  });
}

interface Stored {
  file: string;
  given: ActivityFilters;
  stored: ExportState | undefined;
}

/** An interrupted export continues only on request, and only with its own filters and service. */
function checkStored(
  { connection }: Context,
  { file, given, stored, resume }: Stored & { resume: boolean },
): void {
  if (!stored) return;
  const line = `svc activity export ${shellWord(file)}${optionText(stored.filters)} --resume`;
  if (!resume)
    throw usageError(
      `An export to ${file} was interrupted after ${counted(stored.position.items, 'item')}.`,
      {
        hint: `Continue it with --resume, or delete ${file}.partial to start again.`,
        next: [line],
      },
    );
  if (Object.keys(given).length > 0 && JSON.stringify(given) !== JSON.stringify(stored.filters))
    throw usageError(`The interrupted export to ${file} has other filters.`, {
      hint: `Use the same filters, omit them, or delete ${file}.partial to start again.`,
      next: [line],
    });
  const baseUrl = connection.target().baseUrl.value;
  if (baseUrl !== stored.baseUrl)
    throw usageError(
      `The interrupted export to ${file} reads from ${stored.baseUrl}, not ${baseUrl}.`,
      {
        hint: `Select the profile of that service, or delete ${file}.partial to start again.`,
      },
    );
}

/** Returns the number of items in the file. */
async function exportTo(
  context: Context,
  { file, target, format, given, stored }: Stored & { target: string; format: 'ndjson' | 'csv' },
): Promise<number> {
  const { host, connection, globals, note } = context;
  const filters = stored ? (stored.filters as ActivityFilters) : given;
  const query = stored?.query ?? (await activityQuery(context, given));
  const baseUrl = connection.target().baseUrl.value;
  const start = stored?.position ?? startPosition;
  let position = start;
  const digests = createDigestEvents(context);
  const textOf = await pageFormatter(format, activityColumns(digests.find), {
    reveal: globals.reveal === true,
    csvSafe: globals.csvSafe === true,
  });
  const output = openExportFile(target, stored, host.newId());
  const save = (text: string) =>
    output.append(text, { version: 1, baseUrl, filters, query, position });
  const line = `svc activity export ${shellWord(file)}${optionText(filters)} --resume`;
  const { showReading } = await import('../shared/reading-progress.ts');
  const progress = showReading(context, start.items);
  const onShutdown = () => note(`Interrupted. To continue: ${line}`);
  host.shutdownSignal.addEventListener('abort', onShutdown, { once: true });
  try {
    if (!stored) save(await textOf.header());
    const rest = { ...query, ...upperBound(start) };
    const pages = activityPages(context, rest, filters.transaction);
    for await (const page of format === 'csv' ? digests.follow(pages) : pages) {
      const items = itemsAfter(start, page.items);
      if (items.length === 0) continue;
      position = advance(position, items);
      save(await textOf.page(items));
      progress.add(items.length);
    }
    output.finish();
    return position.items;
  } catch (error) {
    if (error instanceof SvcError && position.items > 0) throw error.with({ next: [line] });
    throw error;
  } finally {
    progress.stop();
    host.shutdownSignal.removeEventListener('abort', onShutdown);
    output.close();
  }
}

interface PageFormatter {
  header(): Promise<string>;
  page(items: readonly ActivityItem[]): Promise<string>;
}

async function pageFormatter(
  format: 'ndjson' | 'csv',
  columns: readonly Column<ActivityItem>[],
  { reveal, csvSafe }: { reveal: boolean; csvSafe: boolean },
): Promise<PageFormatter> {
  const shown = (item: ActivityItem) => (reveal ? item : masked(item));
  if (format === 'csv')
    return {
      header: () => csvLines([columns.map(({ field }) => field)], csvSafe),
      page: (items) =>
        csvLines(
          items.map((item) => cellsOf(shown(item), columns)),
          csvSafe,
        ),
    };
  return {
    header: async () => '',
    page: async (items) => {
      const lines = await Promise.all(items.map((item) => toJson(shown(item))));
      return safeJson(lines.map((line) => `${line}\n`).join(''));
    },
  };
}
