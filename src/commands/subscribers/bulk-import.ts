import {
  bulkOptions,
  importOptions,
  shardOptions,
  summaryFields,
} from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { commaList } from '../../cli/options.ts';
import { inputFileArgument } from '../shared/arguments.ts';

export const bulkImport = command({
  summary: 'Create or update any number of subscribers from CSV, NDJSON or a JSON array',
  details:
    'Columns are matched to fields by name, ignoring case, spaces, _ and -; data.* columns become custom data (data.address.city is nested), and a column named data contains it as JSON. Spaces around ids, e-mail addresses and phone numbers are removed. Columns that only the service sets, such as createdAt, are ignored.\n\nFor the columns of an export from HubSpot, Salesforce, Mailchimp, Customer.io, Segment, Google Contacts or Excel, svc proposes fields. On a terminal it shows them with three rows and asks; elsewhere it needs --yes or --map-file. svc never proposes to send a column with addresses or phone numbers as custom data. If another column fills the field, svc does not send the column and lists it in ignoredColumns of the summary.\n\nIf the file is not UTF-8, svc names the likely encoding. On a terminal it asks; elsewhere it needs --encoding. Columns with the same name must have the same values in every row, unless --ignore-column drops them. Rows without any value are skipped.\n\nEvery row is checked before it is sent. Rows that are invalid or that the service rejects are written to a rejects file in the format of the input; fix these rows and import the rejects file. Resume a run that stopped early with `svc runs resume`. The exit code is 3 if some rows failed, 2 if all rows were invalid, and 6 if rows were sent and none succeeded.',
  arguments: { file: inputFileArgument },
  options: {
    ...importOptions,
    checkDuplicates: commaList(
      '--check-duplicates <id,email,phone>',
      'Report addresses that occur with different subscriber ids; with id, compare more ids for repeated ones',
      { group: 'Sending' },
    ),
    ...bulkOptions,
    ...shardOptions,
  },
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
      line: 'svc subscribers bulk-import users.csv --yes --phone-region DE',
      description: 'Accept the proposed fields; read phone numbers as German ones',
    },
    {
      line: 'svc subscribers bulk-import users.csv --validate-only',
      description: 'Check every row without sending any',
    },
    {
      line: 'svc subscribers bulk-import users.csv --validate-only --check-duplicates email,phone',
      description: 'Find people who are in the file twice, with different ids',
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
  async run(context, input) {
    const { args, options } = input;
    const { openSubscriberSender } = await import('../../bulk/operations/subscribers.ts');
    const { runBulk } = await import('../../bulk/command/run-bulk.ts');
    const { withMapFile } = await import('../../bulk/command/column-mapping.ts');
    const { ignoreColumn: ignoreColumns = [] } = await withMapFile(options, context.host.cwd);
    return runBulk(context, {
      ...input,
      activeVerb: 'Importing',
      pastVerb: 'Imported',
      file: args.file,
      ignoreColumns,
      isRepeatable: true,
      repeatedIdsRule:
        options.empty === 'null'
          ? 'Later rows win, with their empty cells.'
          : 'Later rows win: a filled cell replaces the earlier value, an empty cell keeps it, and custom data is replaced as a whole.',
      comparesMostIds: options.checkDuplicates?.includes('id') === true,
      async openSender(source) {
        const { confirmColumns } = await import('../../bulk/command/confirm-columns.ts');
        const confirmed = await confirmColumns(context, source, options);
        const { map, dataColumn, ignoreColumn } = confirmed.options;
        return {
          ...(await openSubscriberSender(source, confirmed.options)),
          options: { map, dataColumn, ignoreColumn },
          ...(confirmed.mapping ? { mapping: confirmed.mapping } : {}),
        };
      },
    });
  },
});
