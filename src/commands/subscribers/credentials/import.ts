import { columnBulkOptions, summaryFields } from '../../../bulk/command/options.ts';
import { command } from '../../../cli/command.ts';
import { inputFileArgument } from '../../shared/arguments.ts';

export const importCredentials = command({
  summary: 'Set the credentials of many subscribers from a file, such as device tokens',
  details:
    'The columns are subscriberId, provider, integration, deviceTokens (a JSON list, or tokens separated by blanks), webhookUrl and channel. Device tokens are added to the stored ones.',
  arguments: { file: inputFileArgument },
  options: columnBulkOptions,
  output: 'The summary of the run: {runId, rows, updated, failed, invalid, …}.',
  exitCodes: ['partial'],
  examples: {
    'svc subscribers credentials import tokens.csv': 'Rows such as u1,fcm,,token-1 token-2,,',
    'svc subscribers credentials import tokens.csv --validate-only':
      'Check every row without sending any',
  },
  fields: summaryFields,
  operations: ['setSubscriberCredentials'],
  writes: ({ options }) => options.validateOnly !== true,
  gracefulShutdown: true,
  async run(context, input) {
    const { credentialFields, openCredentialSender } = await import(
      '../../../bulk/operations/credentials.ts'
    );
    const { runBulk } = await import('../../../bulk/command/run-bulk.ts');
    return runBulk(context, {
      ...input,
      activeVerb: 'Importing credentials',
      pastVerb: 'Updated',
      file: input.args.file,
      fields: credentialFields,
      isRepeatable: true,
      openSender: openCredentialSender,
    });
  },
});
