import { columnBulkOptions, summaryFields } from '../../../bulk/command/options.ts';
import { command } from '../../../cli/command.ts';
import { inputFileArgument } from '../../shared/arguments.ts';
import { writeOperations } from './set.ts';

export const importChannels = command({
  summary: 'Create or change the connections and endpoints of many subscribers from a file',
  details:
    'The columns are subscriberId, kind (connection or endpoint), identifier, integration, connection, type, contextKeys, and workspace, auth and endpoint as JSON, as `svc subscribers export --with channels` writes them. The workspace and tokens of an existing connection, and the address of an existing endpoint, are replaced. The rows of connections come before those of the endpoints in them.',
  arguments: { file: inputFileArgument },
  options: columnBulkOptions,
  output: 'The summary of the run: {runId, rows, created, updated, failed, invalid, …}.',
  exitCodes: ['partial'],
  examples: {
    'svc subscribers channels import people.channels.csv': 'Restore an export',
    'svc subscribers channels import people.channels.csv --validate-only':
      'Check every row without sending any',
  },
  fields: summaryFields,
  operations: writeOperations,
  writes: ({ options }) => options.validateOnly !== true,
  gracefulShutdown: true,
  async run(context, { args, options }) {
    const { channelFields, openChannelSender } = await import(
      '../../../bulk/operations/channels.ts'
    );
    const { runBulk } = await import('../../../bulk/command/run-bulk.ts');
    return runBulk(context, {
      command: 'subscribers channels import',
      activeVerb: 'Importing channels',
      pastVerb: 'Wrote',
      args,
      options,
      declaredOptions: columnBulkOptions,
      file: args.file,
      fields: channelFields,
      retry: { line: 'subscribers channels import' },
      isRepeatable: true,
      openSender: openChannelSender,
    });
  },
});
