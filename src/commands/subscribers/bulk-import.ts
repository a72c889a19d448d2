import {
  bulkOptions,
  importOptions,
  shardOptions,
  summaryFields,
} from '../../bulk/command/options.ts';
import { command } from '../../cli/command.ts';
import { commaList, flag } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { inputFileArgument } from '../shared/arguments.ts';

export const bulkImport = command({
  summary: 'Create or update any number of subscribers from CSV, NDJSON or a JSON array',
  details:
    'Columns are matched to fields by name, ignoring case, spaces, _ and -; data.* columns become custom data (data.address.city is nested), and a column named data contains it as JSON. Spaces around ids, e-mail addresses and phone numbers are removed. Columns that only the service sets, such as createdAt, are ignored.\n\nFor the columns of an export from HubSpot, Salesforce, Mailchimp, Customer.io, Segment, Google Contacts or Excel, svc proposes fields. On a terminal it shows them with three rows and asks; elsewhere it needs --yes or --map-file. svc never proposes to send a column with addresses or phone numbers as custom data. If another column fills the field, svc does not send the column and lists it in ignoredColumns of the summary.\n\nIf the file is not UTF-8, svc names the likely encoding. On a terminal it asks; elsewhere it needs --encoding. Columns with the same name must have the same values in every row, unless --ignore-column drops them. Rows without any value are skipped.\n\nEvery row is checked before it is sent. Rows that are invalid or that the service rejects are written to a rejects file in the format of the input; fix these rows and import the rejects file. Resume a run that stopped early with `svc runs resume`.\n\n--check compares the values that would be sent with the stored ones: each person is the same, different or missing, and with --extra, subscribers that are not in the file are reported, too. Values that the service can have stored in another form, such as an e-mail address in lower case, are the same. svc reads the list of subscribers if the file has more than a tenth of them, and otherwise requests each person; it prints the number of requests first. The exit code is 10 if something differs. --only-changed compares in the same way and sends only the rows that differ.\n\nThe exit code is 3 if some rows failed, 2 if all rows were invalid, and 6 if rows were sent and none succeeded.',
  arguments: { file: inputFileArgument },
  options: {
    ...importOptions,
    checkDuplicates: commaList(
      '--check-duplicates <id,email,phone>',
      'Report addresses that occur with different subscriber ids; with id, compare more ids for repeated ones',
      { group: 'Sending' },
    ),
    ...bulkOptions,
    check: flag('--check', 'Compare the file with the service, sending nothing', {
      group: 'Sending',
      conflicts: ['onlyChanged', 'validateOnly', 'resume', 'runId', 'rejects', 'spool'],
    }),
    extra: flag('--extra', 'With --check, also report subscribers that are not in the file', {
      group: 'Sending',
      conflicts: ['shard', 'skip', 'take'],
      rare: true,
    }),
    onlyChanged: flag('--only-changed', 'Send only rows that differ from the service', {
      group: 'Sending',
      conflicts: ['validateOnly'],
    }),
    ...shardOptions,
  },
  output:
    'The summary of the run: {runId, rows, created, updated, failed, invalid, …}; with -o ndjson, preceded by one line for each row. With --check, {rows, same, different, missing, …}, and in the lines {row, line, id, result, fields}.',
  exitCodes: ['partial', 'different'],
  examples: {
    'svc subscribers bulk-import users.csv': 'A file of any size',
    'svc subscribers bulk-import - --format ndjson < users.ndjson': 'From a pipe',
    'svc subscribers bulk-import users.csv --yes --phone-region DE':
      'Accept the proposed fields; read phone numbers as German ones',
    'svc subscribers bulk-import users.csv --validate-only': 'Check every row without sending any',
    'svc subscribers bulk-import users.csv --validate-only --check-duplicates email,phone':
      'Find people who are in the file twice, with different ids',
    'svc subscribers bulk-import users.csv --check':
      'Exit with 10 if the service does not have these values',
    'svc subscribers bulk-import users.csv --only-changed': 'Send only the rows that differ',
    'svc subscribers bulk-import users.csv --jq .created':
      'Print the number of created subscribers',
  },
  fields: summaryFields,
  operations: ['bulkCreateSubscribers', 'getSubscriber', 'listSubscribers'],
  writes: ({ options }) => options.validateOnly !== true && options.check !== true,
  gracefulShutdown: true,
  async run(context, input) {
    const { args, options } = input;
    const { check: isCheck = false } = options;
    if (options.extra && !isCheck) throw usageError('--extra needs --check.');
    const { openSubscriberSender } = await import('../../bulk/operations/subscribers.ts');
    const { runBulk } = await import('../../bulk/command/run-bulk.ts');
    const { withMapFile } = await import('../../bulk/command/column-mapping.ts');
    const { ignoreColumn: ignoreColumns = [] } = await withMapFile(options, context.host.cwd);
    return runBulk(context, {
      ...input,
      activeVerb: isCheck ? 'Comparing' : 'Importing',
      pastVerb: isCheck ? 'Compared' : 'Imported',
      isCheck,
      file: args.file,
      ignoreColumns,
      isRepeatable: true,
      repeatedIdsRule:
        options.empty === 'null'
          ? 'Later rows win, with their empty cells.'
          : 'Later rows win: a filled cell replaces the earlier value, an empty cell keeps it, and custom data is replaced as a whole.',
      comparesMostIds: options.checkDuplicates?.includes('id') === true,
      async openSender(source, _transactionId, readAgain) {
        const { confirmColumns } = await import('../../bulk/command/confirm-columns.ts');
        const confirmed = await confirmColumns(context, source, options);
        const { map, dataColumn, ignoreColumn, phoneRegion } = confirmed.options;
        const openRows = () => openSubscriberSender(source, confirmed.options);
        const sender = await openRows();
        const compare =
          isCheck || options.onlyChanged
            ? (await import('../../bulk/command/compare-import.ts')).openComparison
            : undefined;
        return {
          ...sender,
          ...(await compare?.(context, [sender, await openRows()], { ...options, readAgain })),
          options: { map, dataColumn, ignoreColumn, phoneRegion },
          ...(confirmed.mapping ? { mapping: confirmed.mapping } : {}),
        };
      },
    });
  },
});
