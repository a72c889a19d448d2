// `svc activity export`
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { forceOption, required, resumeOption } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { createDigestEvents } from '../../deliveries/read.ts';
import * as result from '../../output/result.ts';
import { exportToFile, pageFormatter } from '../shared/export-run.ts';
import { type ActivityFilters, activityFilters, activityPages, activityQuery } from './filters.ts';
import { advance, itemsAfter, type Position, startPosition, upperBound } from './follow.ts';
import { activityColumns } from './view.ts';

export const exportActivity = command({
  summary: 'Export all events with their jobs and execution details to a file',
  details: `Writes every event that matches once, newest first. Events that arrive during the export are not included. The file gets its name when it is complete; until then the items are in <file>.partial. svc asks before it replaces an earlier export, and replaces any other file only with --force.

The extension decides the format: .ndjson or .jsonl for whole items, .csv for the columns of \`svc activity list\`. Secrets are masked unless you add --reveal. An export that was interrupted continues with --resume, in the same environment and with the same filters and options.`,
  arguments: {
    file: required('<file.ndjson|csv|->', 'The file to write, or - for standard output', 'files'),
  },
  options: { ...activityFilters, ...resumeOption, ...forceOption },
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
  async run(context, { args: { file }, options: { resume = false, force = false, ...filters } }) {
    if (file === '-') return printAll(context, filters, resume);
    const digests = createDigestEvents(context);
    const { format, position } = await exportToFile<Position>(context, {
      command: 'activity export',
      file,
      options: filters,
      resume,
      force,
      start: startPosition,
      fields: activityColumns(digests.find).map(({ field }) => field),
      members: ['_id', 'transactionId'],
      async open(format, stored) {
        const query = stored?.query ?? (await activityQuery(context, filters));
        const { transaction } = (stored?.filters as ActivityFilters | undefined) ?? filters;
        const text = await pageFormatter(context, format, activityColumns(digests.find));
        return {
          query,
          headers: [text.header],
          async *chunks(start) {
            let position = start;
            const pages = activityPages(context, { ...query, ...upperBound(start) }, transaction);
            for await (const page of format === 'csv' ? digests.follow(pages) : pages) {
              const items = itemsAfter(start, page.items);
              if (items.length === 0) continue;
              position = advance(position, items);
              yield { texts: [await text.page(items)], position };
            }
          },
        };
      },
    });
    const { items } = position;
    return result.report({
      value: { file, format, items },
      lines: [`Exported ${counted(items, 'item')} to ${file}.`],
      ids: [file],
    });
  },
});

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
