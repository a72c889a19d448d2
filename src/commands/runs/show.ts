import type { Context } from '../../app/context.ts';
import { resolveRunId } from '../../bulk/command/resolve-run.ts';
import type { Counts } from '../../bulk/engine/stats.ts';
import { command } from '../../cli/command.ts';
import { flag } from '../../cli/options.ts';
import { grouped, kebabCase } from '../../core/text.ts';
import {
  openRunDeliveries,
  profileOfRun,
  readRunDeliveries,
} from '../../deliveries/run-deliveries.ts';
import { deliveriesFields, deliveriesRecord } from '../../deliveries/run-view.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';
import { invalidColumn, runColumns } from './view.ts';

const runFields = [
  ...[
    'runId',
    'command',
    'state',
    'rows',
    'estimatedRows',
    'done',
    'failed',
    'invalid',
    'startedAt',
  ],
  ...['validateOnly', 'counts', 'rejectsFiles', 'summary', 'profile', 'args', 'options'],
  ...['file', 'rejects', 'folder'],
];

export const show = command({
  summary: 'Show a run: command, input, counts and rejects file',
  details:
    '--deliveries reads the activity of the events that the run has triggered, and counts their recipients and messages by outcome. svc first prints the number of requests: one for every 20 events, or fewer if svc can list all events since the run started. `svc runs watch` follows the deliveries.',
  arguments: { runId: runArgument },
  options: {
    deliveries: flag('--deliveries', 'Show the deliveries of a run that triggered events'),
  },
  output:
    'The run. As JSON, also its options, the identity of the input file and, if the run has finished, its summary. With --deliveries, {runId, finished, recipients, channels: [{channel, delivered, failed, skipped, waiting}], reasons: [{cause, count}]}, where finished is the number of finished recipients.',
  fields: ({ options }) => (options.deliveries ? deliveriesFields : runFields),
  exitCodes: ['notFound'],
  examples: {
    'svc runs show last --deliveries':
      'The messages of the newest run that triggered events, by outcome',
    'svc runs show last': 'The newest run',
    'svc runs show last --jq .counts': 'The counts of the newest run',
  },
  operations: ['listActivity', 'getActivity'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  defaultProfile: async (context, { args, options }) =>
    options.deliveries ? profileOfRun(context, args.runId) : undefined,
  async run(context, { args, options: { deliveries } }) {
    if (deliveries) return showDeliveries(context, args.runId);
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const runId = resolveRunId(context, store, args.runId);
    const { manifest, hasUnpublishedRejects, ...details } = store.read(runId);
    const { options, profile, file, rejects } = manifest;
    const { rejectsFiles } = details;
    const allRejects = rejectsFiles?.join(', ') ?? rejects;
    const hasRejects = details.failed + details.invalid > 0;
    if (details.state === 'stopped')
      context.note(
        file === null
          ? 'The run stopped early. Its input cannot be read again, so it cannot be resumed.'
          : `The run stopped early. To resume it: ${context.propose(`svc runs resume ${runId}`, manifest.profile)}`,
      );
    if (hasUnpublishedRejects)
      context.note(
        `${details.state === 'running' ? 'When the run ends' : 'When the resumed run ends'}, its rejected rows are written to ${manifest.rejects}.`,
      );
    return result.one({
      value: {
        ...details,
        profile,
        args: manifest.args,
        options,
        file,
        rejects: hasRejects ? rejects : null,
        folder: store.runFolder(runId),
      },
      fields: [
        ...(runColumns.map((column) => ({
          ...column,
          value: column.tableText ?? column.value,
        })) as never[]),
        invalidColumn as never,
        { field: 'profile', header: 'PROFILE' },
        { field: 'file.path', header: 'FILE' },
        { field: 'counts', header: 'COUNTS', value: () => countsText(details.counts) },
        { field: 'rejects', header: 'REJECTS', value: () => (hasRejects ? allRejects : '') },
        { field: 'folder', header: 'FOLDER' },
      ],
      id: (run) => run.runId,
    });
  },
});

async function showDeliveries(context: Context, name: string) {
  const run = await openRunDeliveries(context, name);
  const { summary } = await readRunDeliveries(context, run);
  return result.one(deliveriesRecord(run.run.runId, summary));
}

/** `28 triggered, 2 failed`. */
const countsText = (counts: Counts) =>
  Object.entries(counts)
    .map(([state, count]) => `${grouped(count)} ${kebabCase(state).replaceAll('-', ' ')}`)
    .join(', ');
