// `svc subscribers bulk-import`

import { fieldOptions } from '../../bulk/command/column-options.ts';
import { bulkOptions, summaryFields } from '../../bulk/command/options.ts';
import { runBulk } from '../../bulk/command/run-bulk.ts';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';

export const bulkImport = command({
  summary: 'Create or update any number of subscribers from CSV, NDJSON or a JSON array',
  details:
    'Columns are matched to fields by name, ignoring case, spaces, _ and -; data.* columns become custom data. Spaces around ids and e-mail addresses are removed. Every row is checked before it is sent. Rows that are invalid or that the service rejects are written to a rejects file in the format of the input; fix these rows and import the rejects file. Resume a run that stopped early with `svc runs resume`. The exit code is 3 if some rows failed, 2 if all rows were invalid, and 6 if rows were sent and none succeeded.',
  arguments: { file: required('<file|->', 'Input file, or - for standard input', 'files') },
  options: { ...fieldOptions, ...bulkOptions },
  output:
    'The summary of the run: {runId, rows, created, updated, failed, invalid, …}; with -o ndjson, preceded by one line for each row.',
  exitCodes: ['partial'],
  examples: [
    { line: 'svc subscribers bulk-import users.csv', description: 'A file of any size' },
    {
      line: 'svc subscribers bulk-import - --format ndjson < users.ndjson',
      description: 'From a pipe',
    },
    {
      line: 'svc subscribers bulk-import users.csv --validate-only',
      description: 'Check every row without sending any',
    },
    {
      line: 'svc subscribers bulk-import users.csv --jq .created',
      description: 'Print the number of created subscribers',
    },
  ],
  fields: summaryFields,
  operations: ['bulkCreateSubscribers'],
  writes: ({ options }) => options.validateOnly !== true,
  gracefulShutdown: true,
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
