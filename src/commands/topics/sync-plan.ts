// Plans a sync: compares the ids of a file with the subscribers of a topic, and checks that new ones exist.
import type { Context } from '../../app/context.ts';
import type { BulkOptions } from '../../bulk/command/options.ts';
import type { TopicChange } from '../../bulk/operations/subscriptions.ts';
import { type FieldError, usageError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { showReading } from '../../output/progress-line.ts';
import { findMissingSubscribers, withSuggestions } from '../shared/missing-resources.ts';

interface SyncInput {
  topicKey: string;
  file: string;
  options: Pick<BulkOptions, 'map' | 'mapFile' | 'format' | 'delimiter' | 'columns' | 'encoding'>;
}

/** Additions come first. Throws a usage error for a file that is empty or has invalid or unknown ids. */
export async function planChanges(context: Context, { topicKey, file, options }: SyncInput) {
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
async function readIds(context: Context, file: string, options: SyncInput['options']) {
  const { openRecords } = await import('../../input/records.ts');
  const { createIdReader, toIdItem } = await import('../../bulk/operations/id-list.ts');
  const { readFieldMapping, withFieldColumns } = await import(
    '../../bulk/command/column-mapping.ts'
  );
  const { host } = context;
  const path = await import('node:path');
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
