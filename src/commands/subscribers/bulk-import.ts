// `svc subscribers bulk-import`

import { fieldOptions } from '../../bulk/command/column-options.ts';
import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { runBulk } from '../../bulk/command/run-bulk.ts';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';

export const bulkImport = command({
  summary: 'Create or update subscribers from CSV, NDJSON or a JSON array, any number of them',
  details:
    'Columns are matched to fields without regard to case, blanks, _ and -; data.* columns become custom data. Blanks around ids and e-mail addresses are removed. Every row is checked before it is sent. Rows that are invalid or that the service refuses go to a rejects file in the format of the input; fix them and import that file. Resume a run that stopped early with `svc runs resume`. Exit code 3 when some rows failed, 6 when all did, 2 when no row was valid.',
  arguments: { file: required('<file|->', 'The file, or - for standard input', 'files') },
  options: { ...fieldOptions, ...bulkOptions },
  output:
    'The summary of the run: {runId, rows, created, updated, failed, invalid, …}; with -o ndjson, one line for each row before it.',
  exitCodes: ['partial', 'local'],
  examples: [
    { line: 'svc subscribers bulk-import users.csv', description: 'A file of any size' },
    {
      line: 'svc subscribers bulk-import - --format ndjson < users.ndjson',
      description: 'From a pipe',
    },
    { line: 'svc subscribers bulk-import users.csv --validate-only', description: 'Only checked' },
    { line: 'svc subscribers bulk-import users.csv --jq .created', description: 'In a script' },
  ],
  fields: summaryFields,
  operations: ['bulkCreateSubscribers'],
  writes: ({ options }) => options.validateOnly !== true,
  concurrent: true,
  async run(context, { args, options }) {
    const { openSubscriberPlan } = await import('../../bulk/operations/subscribers.ts');
    return runBulk(context, {
      command: 'subscribers bulk-import',
      activeVerb: 'Importing',
      pastVerb: 'Imported',
      args,
      options,
      file: args.file,
      retry: { words: ['subscribers', 'bulk-import'] },
      isRepeatable: true,
      openPlan: (source) => openSubscriberPlan(source, options),
    });
  },
});
