import type { Cursor } from '../../../api/pages-by-cursor.ts';
import type { ExportPosition } from '../../../bulk/journal/export-file.ts';
import { command } from '../../../cli/command.ts';
import { forceOption, required, resumeOption } from '../../../cli/options.ts';
import { counted } from '../../../core/text.ts';
import * as result from '../../../output/result.ts';

interface Position extends ExportPosition {
  subscribers: Cursor;
}

export const exportPreferences = command({
  summary: 'Export the choices of all subscribers to a file',
  details:
    'Writes one row for the global choices of a subscriber, with the schedule as JSON, and one row for each workflow in which the subscriber has chosen a channel. A value that equals the default is not a choice. `svc subscribers preferences import` reads the file. Sends one request for each subscriber. The file does not have choices for contexts, which servers since 3.13 can keep; `svc subscribers preferences get --context` shows them.\n\nUntil the file is complete, its name ends with .partial. --resume continues an interrupted export, in the same environment.',
  arguments: { file: required('<file.csv|ndjson>', 'The file to write', 'files') },
  options: { ...resumeOption, ...forceOption },
  output: 'The file, its format and the number of rows: {file, format, items}.',
  fields: ['file', 'format', 'items'],
  examples: {
    'svc subscribers preferences export choices.csv': 'Rows such as u1,welcome,,off,,,,',
    'svc subscribers preferences export choices.ndjson': 'Write JSON, one object on each line',
  },
  operations: ['listSubscribers', 'getSubscriberPreferences', 'listWorkflows', 'getWorkflow'],
  writes: false,
  tool: 'write',
  async run(context, { args: { file }, options: { resume = false, force = false } }) {
    const { exportToFile, pageFormatter } = await import('../../shared/resumable-export.ts');
    const { firstCursor, subscriberPages } = await import('../view.ts');
    const { createPreferenceReader, preferenceColumns } = await import('./rows.ts');
    const { format, position } = await exportToFile<Position>(context, {
      command: 'subscribers preferences export',
      file,
      options: {},
      resume,
      force,
      start: { items: 0, subscribers: firstCursor },
      fields: preferenceColumns.map(({ field }) => field),
      members: ['subscriberId'],
      async open(format) {
        const readRows = await createPreferenceReader(await context.client());
        const text = await pageFormatter(context, format, preferenceColumns);
        return {
          query: {},
          headers: [text.header],
          async *chunks(start) {
            let { items } = start;
            for await (const page of subscriberPages(context, start.subscribers)) {
              const rows = await readRows(page.items);
              items += rows.length;
              yield {
                texts: [await text.page(rows)],
                position: { items, subscribers: page.cursor },
              };
            }
          },
        };
      },
    });
    return result.report({
      value: { file, format, items: position.items },
      lines: [`Exported ${counted(position.items, 'row')} to ${file}.`],
      ids: [file],
    });
  },
});
