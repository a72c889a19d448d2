import path from 'node:path';
import type { Context } from '../../app/context.ts';
import {
  type BulkOptions,
  bulkOptions,
  readRowsOrPercent,
  summaryFields,
} from '../../bulk/command/options.ts';
import type { TopicChange } from '../../bulk/operations/subscriptions.ts';
import { command } from '../../cli/command.ts';
import { text } from '../../cli/options.ts';
import { raceAbort } from '../../core/async.ts';
import { type FieldError, usageError } from '../../core/errors.ts';
import { counted, firstNames, listText, shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { inputFileArgument, topicArgument } from '../shared/arguments.ts';
import { findMissingSubscribers, withSuggestions } from '../shared/missing-resources.ts';

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
  examples: {
    'svc topics sync announcements users.csv --max-delete 100 --yes':
      'Remove at most 100, without confirmation',
    'svc topics sync announcements users.csv --dry-run': 'Show the plan and the first request',
  },
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
      retry: { line: `topics sync ${shellWord(topicKey)} ${shellWord(file)}`, fromRun: true },
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
  options: Pick<BulkOptions, 'map' | 'mapFile' | 'format' | 'delimiter' | 'columns' | 'encoding'>;
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
  const ids = changes.map(({ subscriberId }) => subscriberId);
  return listText(firstNames(ids, maxNamed));
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

// Plans a sync: compares the ids of a file with the subscribers of a topic, and checks that new ones exist.

/** Additions come first. Throws a usage error for a file that is empty or has invalid or unknown ids. */
async function planChanges(
  context: Context,
  { topicKey, file, options }: Omit<SyncOptions, 'maxDelete'>,
) {
  const wanted = await readIds(context, file, options);
  const current = await readSubscribers(context, topicKey);
  const added = [...wanted].filter((id) => !current.has(id));
  const removed = [...current].filter((id) => !wanted.has(id));
  await requireExisting(context, file, added);
  const changes: TopicChange[] = [
    ...added.map((subscriberId) => ({ subscriberId, action: 'add' as const })),
    ...removed.map((subscriberId) => ({ subscriberId, action: 'remove' as const })),
  ];
  return { changes, unchanged: wanted.size - added.length };
}

const maxReported = 10;

/** The different ids of the file. */
async function readIds(context: Context, file: string, options: SyncOptions['options']) {
  const { openRecords } = await import('../../input/records.ts');
  const { createIdReader, toIdItem } = await import('../../bulk/operations/id-list.ts');
  const { readFieldMapping, withFieldColumns } = await import(
    '../../bulk/command/column-mapping.ts'
  );
  const { host } = context;
  const fields = ['subscriberId'];
  const mapping = await readFieldMapping(options, fields, host.cwd);
  const source = await openRecords({
    file: file === '-' ? file : path.resolve(host.cwd, file),
    stdin: host.stdin,
    ...options,
    defaultFormat: 'lines',
    signal: host.shutdownSignal,
  });
  const ids = new Set<string>();
  const errors: FieldError[] = [];
  let invalid = 0;
  try {
    const readId = createIdReader(withFieldColumns(source, mapping, fields), 'subscriberId');
    for await (const records of source.chunks)
      for (const record of records) {
        if (record.isBlank) continue;
        const item =
          record.error === undefined
            ? toIdItem(readId(record), 'subscriberId')
            : { error: record.error };
        if ('id' in item) ids.add(item.id);
        else {
          invalid += 1;
          if (errors.length < maxReported)
            errors.push({ field: `line ${record.line}`, message: item.error });
        }
      }
  } finally {
    source.close();
  }
  if (invalid > 0)
    throw usageError(`${source.name} has ${counted(invalid, 'invalid row')}. Nothing was sent.`, {
      fieldErrors: errors,
    });
  if (ids.size > 0) return ids;
  throw usageError(`${source.name} has no ids. Nothing was sent.`, {
    hint: 'To remove all subscribers, unsubscribe them.',
    next: ['svc topics unsubscribe --help'],
  });
}

async function readSubscribers(context: Context, topicKey: string): Promise<Set<string>> {
  const ids = new Set<string>();
  const query = { orderDirection: 'ASC' } as const;
  const pages = context.pages(
    'listTopicSubscriptions',
    { path: { topicKey }, query },
    { all: true },
  );
  const { showReading } = await import('../../output/progress-line.ts');
  const progress = showReading(context);
  try {
    await withSuggestions(context, 'topic', topicKey, async () => {
      for await (const { items } of pages) {
        for (const { subscriber } of items) ids.add(subscriber.subscriberId);
        progress.add(items.length);
      }
    });
  } finally {
    progress.stop();
  }
  return ids;
}

/** Throws a usage error if some of the subscribers do not exist. */
async function requireExisting(context: Context, file: string, ids: readonly string[]) {
  const missing = await findMissingSubscribers(context, ids);
  if (missing.length === 0) return;
  throw usageError(
    `${counted(missing.length, 'subscriber')} of ${file} ${missing.length === 1 ? 'does' : 'do'} not exist. Nothing was sent.`,
    {
      fieldErrors: missing
        .slice(0, maxReported)
        .map((field) => ({ field, message: 'does not exist' })),
      next: ['svc subscribers bulk-import <file>'],
    },
  );
}
