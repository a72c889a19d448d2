import { command } from '../../cli/command.ts';
import { commaList, forceOption, required, resumeOption } from '../../cli/options.ts';

import { usageError } from '../../core/errors.ts';
import type { Part } from './export-subscribers.ts';

const parts: readonly Part[] = ['preferences', 'topics', 'credentials', 'channels'];

export const exportSubscribers = command({
  summary:
    'Export all subscribers to a file, and their preferences, topics, credentials and channels',
  details:
    'Writes every subscriber, oldest first. The extension decides the format: .ndjson or .jsonl for whole items, .csv for the columns of `svc subscribers list`. --with writes more files: people.preferences.csv, people.topics.csv, people.credentials.csv and people.channels.csv beside people.ndjson. The last one has the connections and endpoints of a server since 3.12. Preferences take one request for each subscriber, and topics one for each subscription of a server that has identifiers for them (since 3.12). Credentials and channels are secrets: --with credentials and --with channels need --reveal, and without --reveal, the credentials in NDJSON items are masked.\n\n`svc subscribers bulk-import`, `svc subscribers preferences import`, `svc topics subscribe --file`, `svc subscribers credentials import` and `svc subscribers channels import` read these files. Until all files are complete, their names end with .partial. --resume continues an interrupted export, in the same environment and with the same options.',
  arguments: {
    file: required('<file.ndjson|csv|->', 'The file to write, or - for standard output', 'files'),
  },
  options: {
    with: commaList('--with <parts>', `More files to write: ${parts.join(', ')}`),
    ...resumeOption,
    ...forceOption,
  },
  output:
    'The file, its format, the number of subscribers and the files beside it: {file, format, items, files}. With -, the subscribers: as NDJSON by default, or in the format of -o.',
  fields: ({ args: { file } }) => (file === '-' ? undefined : ['file', 'format', 'items', 'files']),
  examples: {
    'svc subscribers export people.ndjson': 'Export all subscribers',
    'svc subscribers export people.csv --with preferences,topics':
      'With people.preferences.csv and people.topics.csv',
    'svc subscribers export - | gzip > people.ndjson.gz': 'Compress the export',
  },
  operations: [
    'listSubscribers',
    'getSubscriberPreferences',
    'listWorkflows',
    'getWorkflow',
    'listTopics',
    'listTopicSubscriptions',
    'getTopicSubscription',
    'listIntegrations',
    'listChannelConnections',
    'listChannelEndpoints',
  ],
  skipsMissingOperations: true,
  writes: false,
  tool: 'write',
  async run(context, { args: { file }, options: { with: names = [], ...options } }) {
    const { runExport } = await import('./export-subscribers.ts');
    return runExport(context, file, chosenParts(names), options);
  },
});

function chosenParts(names: readonly string[]): Part[] {
  const unknown = names.find((part) => !(parts as readonly string[]).includes(part));
  if (unknown === undefined) return parts.filter((part) => names.includes(part));
  throw usageError(`--with: \`${unknown}\` must be one of: ${parts.join(', ')}.`, {
    suggestion: { input: unknown, candidates: parts },
  });
}
