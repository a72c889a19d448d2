import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { commaList, forceOption, required, resumeOption } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { createDigestEvents } from '../../deliveries/read.ts';
import * as result from '../../output/result.ts';
import { sandboxVersionOf } from '../../service/versions.ts';
import { exportToFile, pageFormatter } from '../shared/resumable-export.ts';
import { readServiceVersion } from '../shared/server-facts.ts';
import { type ActivityFilters, activityFilters, activityPages, activityQuery } from './filters.ts';
import { advance, itemsAfter, type Position, startPosition, upperBound } from './follow.ts';
import { activityColumns } from './view.ts';

export const exportActivity = command({
  summary: 'Export all events with their jobs and execution details to a file',
  details: `Writes every event that matches once, newest first. Events that arrive during the export are not included. The file gets its name when it is complete; until then the items are in <file>.partial. svc asks before it replaces an earlier export, and replaces any other file only with --force.

The extension decides the format: .ndjson or .jsonl for whole items, .csv for the columns of \`svc activity list\`. Secrets are masked unless you add --reveal. An export that was interrupted continues with --resume, in the same environment and with the same filters and options.\n\n--with payloads reads single events whose payload the listing leaves out. --with people writes a state file beside it, last-week.state.yaml for last-week.ndjson: the recipients with their addresses and preferences, and the workflows. \`svc workflows replay --events\` and \`svc sandbox start --seed\` read it. It contains personal data, but no secrets.`,
  arguments: {
    file: required('<file.ndjson|csv|->', 'The file to write, or - for standard output', 'files'),
  },
  options: {
    ...activityFilters,
    with: commaList('--with <parts>', 'More to read: payloads, people'),
    ...resumeOption,
    ...forceOption,
  },
  output:
    'The file, its format and the number of items: {file, format, items}, and with --with people also {people, peopleFile}. With -, the items: as NDJSON by default, or in the format of -o.',
  fields: ({ args: { file } }) =>
    file === '-' ? undefined : ['file', 'format', 'items', 'people', 'peopleFile'],
  examples: {
    'svc activity export activity.ndjson --since 30d': 'Export 30 days',
    'svc activity export activity.csv --workflow welcome --resume':
      'Export one workflow for a spreadsheet; run it again after an interruption',
    'svc activity export - | gzip > activity.ndjson.gz': 'Compress the export',
  },
  operations: [
    ...(['listActivity', 'getActivity', 'getWorkflow', 'listWorkflows', 'listLayouts'] as const),
    ...(['getLayout', 'listIntegrations', 'listEnvironments', 'getSubscriber'] as const),
    ...(['getSubscriberPreferences', 'listContexts'] as const),
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'write',
  async run(
    context,
    { args: { file }, options: { resume = false, force = false, with: names = [], ...filters } },
  ) {
    if (file === '-' && names.length > 0)
      throw usageError('--with needs a file, because it writes another one beside it.');
    if (file === '-') return printAll(context, filters, resume);
    const { choosePeopleFile, createPayloadReader, exportPeople, readParts } = await import(
      '../../replay/export.ts'
    );
    const parts = readParts(names);
    const peopleFile = parts.includes('people')
      ? choosePeopleFile(context, file, force)
      : undefined;
    const addPayloads = parts.includes('payloads') ? createPayloadReader(context) : undefined;
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
              const whole = addPayloads ? await addPayloads(items) : items;
              yield { texts: [await text.page(whole)], position };
            }
          },
        };
      },
    });
    const { items } = position;
    const version = async () => sandboxVersionOf(await readServiceVersion(await context.client()));
    const people = peopleFile && (await exportPeople(context, file, peopleFile, await version()));
    const beside = people === undefined ? {} : { people, peopleFile: peopleFile?.shownAs };
    return result.report({
      value: { file, format, items, ...beside },
      lines: [
        `Exported ${counted(items, 'item')} to ${file}.`,
        ...(people === undefined
          ? []
          : [`Wrote ${counted(people, 'recipient')} and the workflows to ${peopleFile?.shownAs}.`]),
      ],
      ids: [file, ...(peopleFile ? [peopleFile.shownAs] : [])],
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
