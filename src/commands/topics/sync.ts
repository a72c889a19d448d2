import type { Context } from '../../app/context.ts';
import { bulkOptions, readRowsOrPercent, summaryFields } from '../../bulk/command/options.ts';
import type { TopicChange } from '../../bulk/operations/subscriptions.ts';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { raceAbort } from '../../core/async.ts';
import { usageError } from '../../core/errors.ts';
import { counted, listText } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { inputFileArgument, topicArgument } from '../shared/arguments.ts';
import type * as syncPlan from './sync-plan.ts';

const { map, mapFile, format, delimiter, columns, encoding } = bulkOptions;
const { concurrency, rate, maxErrors, resume, rejects, force } = bulkOptions;

const defaultMaxDelete = '10%';

export const sync = command({
  summary: 'Make the subscribers of a topic equal to a file',
  details:
    'Reads the whole file and the topic first, shows the plan and asks. If the file is empty, or an id is invalid or does not exist, nothing is sent. If more subscribers would be removed than --max-delete allows, nothing is sent either. All new subscribers are added before others are removed. An interrupted run can be resumed and continues its plan.',
  arguments: { topicKey: topicArgument, file: inputFileArgument },
  options: {
    maxDelete: text(
      '--max-delete <n|p%>',
      'Max subscribers to remove, as a number or a percentage of the topic; if there are more, nothing is sent',
      { defaultText: '10%' },
    ),
    map,
    mapFile,
    format,
    delimiter,
    columns,
    encoding,
    concurrency,
    rate,
    maxErrors,
    resume,
    rejects,
    force,
  },
  output:
    'The summary of the run: {runId, rows, added, removed, unchanged, failed, …}. A row is a change; without changes, no run starts, and runId is null.',
  exitCodes: ['partial', 'notFound'],
  examples: [
    {
      line: 'svc topics sync announcements users.csv --max-delete 100 --yes',
      description: 'Remove at most 100, without confirmation',
    },
    {
      line: 'svc topics sync announcements users.csv --dry-run',
      description: 'Show the plan and the first request',
    },
  ],
  fields: summaryFields,
  operations: [
    'subscribeToTopic',
    'unsubscribeFromTopic',
    'listTopicSubscriptions',
    'listTopics',
    'listSubscribers',
    'getSubscriberPreferences',
  ],
  writes: true,
  gracefulShutdown: true,
  async run(context, input) {
    const { args, options } = input;
    const { topicKey, file } = args;
    // A resumed run has its plan, and the number of unchanged subscribers, in its folder.
    const {
      maxDelete = defaultMaxDelete,
      unchanged: earlier = 0,
      ...runOptions
    }: typeof options & { unchanged?: number } = options;
    const isResumed = options.resume !== undefined;
    const plan = isResumed
      ? { changes: [], unchanged: earlier }
      : await raceAbort(
          confirmedPlan(context, { topicKey, file, maxDelete, options }),
          context.host.shutdownSignal,
        );
    const { changes, unchanged } = plan;
    if (!isResumed && changes.length === 0) return nothingToDo(context, topicKey, unchanged);
    const { createTopicChangeSender } = await import('../../bulk/operations/subscriptions.ts');
    const { runBulk } = await import('../../bulk/command/run-bulk.ts');
    return runBulk(context, {
      ...input,
      activeVerb: 'Syncing',
      pastVerb: 'Synced',
      options: { ...runOptions, maxDelete },
      recordedOptions: { unchanged },
      file: '-',
      makeRows: () => toLines(changes),
      retry: { words: ['topics', 'sync', topicKey, file], fromRun: true },
      reportTexts: { rejectsAdvice: 'Sync the topic again' },
      isRepeatable: true,
      openSender: async () => ({
        ...createTopicChangeSender(topicKey),
        summary: () => ({ unchanged }),
      }),
    });
  },
});

async function* toLines(changes: readonly TopicChange[]) {
  for (const change of changes) yield `${JSON.stringify(change)}\n`;
}

interface SyncOptions {
  topicKey: string;
  file: string;
  maxDelete: string;
  options: Parameters<typeof syncPlan.planChanges>[1]['options'];
}

/** Returns the changes, additions first. Throws a usage error if they are not allowed or not confirmed. */
async function confirmedPlan(
  context: Context,
  { topicKey, file, maxDelete, options }: SyncOptions,
) {
  const limit = readRowsOrPercent(maxDelete);
  if (!limit)
    throw usageError(
      `--max-delete: \`${maxDelete}\` must be a number of subscribers or a percentage such as 5%.`,
    );
  const { planChanges } = await import('./sync-plan.ts');
  const plan = await planChanges(context, { topicKey, file, options });
  const removed = plan.changes.filter(({ action }) => action === 'remove');
  const added = plan.changes.length - removed.length;
  const size = removed.length + plan.unchanged;
  const max = 'rows' in limit ? limit.rows : (size * limit.percent) / 100;
  if (removed.length > max)
    throw usageError(
      `This would remove ${removed.length} of ${counted(size, 'subscriber')} from topic ${topicKey}, more than --max-delete ${maxDelete} allows.`,
      { hint: `Check the file. To remove them, add --max-delete ${removed.length}.` },
    );
  if (plan.changes.length === 0) return plan;
  const text = `${added} to add, ${removed.length} to remove, ${plan.unchanged} unchanged`;
  context.note(`Topic ${topicKey}: ${text}.`);
  if (removed.length > 0) context.note(`To remove: ${shortList(removed)}.`);
  await context.confirm(
    `Add ${counted(added, 'subscriber')} to topic ${topicKey} and remove ${removed.length}`,
  );
  return plan;
}

const maxNamed = 10;

const shortList = (changes: readonly TopicChange[]) => {
  const ids = changes.slice(0, maxNamed).map(({ subscriberId }) => subscriberId);
  const more = changes.length - ids.length;
  return listText(more > 0 ? [...ids, `${more} more`] : ids);
};

async function nothingToDo({ host }: Context, topicKey: string, unchanged: number) {
  const { createStats, createSummary } = await import('../../bulk/engine/stats.ts');
  const stats = createStats({ successStates: ['added', 'removed'], ticks: host.clock.ticks });
  const details = { runId: '', rejectsFiles: [], resumed: false, stopped: null };
  return result.report({
    value: { ...createSummary(stats, { ...details, more: { unchanged } }), runId: null },
    ids: [],
    lines: [`Topic ${topicKey} equals the file: ${counted(unchanged, 'subscriber')}.`],
  });
}
