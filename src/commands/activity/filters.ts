// The filters that the commands of activity share, and the query that they make.
import type { Context, ListRange } from '../../app/context.ts';
import { retentionStart } from '../../app/status-hints.ts';
import type { Values } from '../../cli/command.ts';
import { several, severalOf, text } from '../../cli/options.ts';
import { unitMs } from '../../core/durations.ts';
import { SvcError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/objects.ts';
import { readContextKey } from '../../input/values.ts';
import type { ListPage } from '../../output/result.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import type { ActivityItem } from '../../service/schemas/activity.ts';
import { allChannels, severities } from '../../service/schemas/vocabulary.ts';
import { readWorkflow } from '../shared/missing-resources.ts';
import { createServiceTime, resolveTime } from '../shared/server-facts.ts';

export const activityFilters = {
  channel: severalOf('--channel <channel>', allChannels, 'Only events with a step of this channel'),
  workflow: several('--workflow <workflow-id>', 'Only events of this workflow', {
    complete: 'workflows',
  }),
  email: several('--email <address>', 'Only events for this e-mail address'),
  subscriber: several('--subscriber <subscriber-id>', 'Only events for this subscriber', {
    complete: 'subscribers',
  }),
  severity: severalOf('--severity <severity>', severities, 'Only events of this severity'),
  topic: text('--topic <topic-key>', 'Only events sent through this topic', { complete: 'topics' }),
  subscription: text(
    '--subscription <identifier>',
    'Only events sent through this subscription to a topic; servers since 3.12',
  ),
  transaction: several('--transaction <id>', 'Only events with this transaction id', {
    complete: 'transactions',
  }),
  context: several('--context <type:id>', 'Only events with exactly these contexts', {
    complete: 'contexts',
  }),
  since: text('--since <2h|ISO>', 'Only events after this time'),
  until: text('--until <2h|ISO>', 'Only events before this time'),
  search: text(
    '--search <text>',
    'Only events for subscribers with this id, or with this text in the e-mail address; deprecated by the service',
    { hidden: true },
  ),
};

export type ActivityFilters = Partial<Values<typeof activityFilters>>;

/** The query of all filters but `--transaction`: some servers accept only one transaction id. */
export async function activityQuery(
  context: Context,
  options: ActivityFilters,
  serviceTime = createServiceTime(context),
) {
  const after = await resolveTime(options.since, '--since', serviceTime);
  const before = await resolveTime(options.until, '--until', serviceTime);
  return {
    channels: options.channel,
    emails: options.email,
    subscriberIds: options.subscriber,
    severity: options.severity,
    topicKey: options.topic,
    subscriptionId: options.subscription,
    contextKeys: options.context?.map(readContextKey),
    after,
    before,
    search: options.search,
    templates: await internalIds(context, options.workflow),
  };
}

/** Resolves identifiers and slugs to internal ids, which the service needs for filtering. */
async function internalIds(context: Context, workflows: readonly string[] | undefined) {
  if (!workflows) return undefined;
  const internalId = async (workflowId: string) =>
    isObjectId(workflowId) ? workflowId : (await readWorkflow(context, workflowId))._id;
  return Promise.all(workflows.map(internalId));
}

// All pages of the activity listing that match, for commands that read everything.

/** Newest first. Items that arrive while the pages are read are not included. */
export function activityPages(
  context: Context,
  query: Record<string, unknown>,
  transactions: readonly string[] = [],
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const [first, ...others] = transactions;
  const all = { all: true };
  return others.length > 0
    ? mergedListings(context, transactions, query, all)
    : context.pages('listActivity', { query: { ...query, transactionId: first } }, all);
}

// Merges one listing per transaction, newest first. Why: some servers accept only one transaction id per request.

export async function* mergedListings(
  context: Context,
  transactions: readonly string[],
  query: JsonObject,
  range: ListRange,
): AsyncGenerator<ListPage<ActivityItem>, void, void> {
  const listings = await Promise.all(
    [...new Set(transactions)].map(async (transactionId) => {
      const items = itemsOf(context, { ...query, transactionId }, range);
      return { items, next: await items.next() };
    }),
  );
  let remaining = range.all ? Number.POSITIVE_INFINITY : (range.limit ?? 50);
  for (; remaining > 0; remaining -= 1) {
    const [first, ...others] = listings.filter(({ next }) => !next.done);
    if (!first) return;
    const newest = others.reduce(
      (best, listing) => (isNewer(listing.next, best.next) ? listing : best),
      first,
    );
    if (newest.next.done) return;
    yield { items: [newest.next.value] };
    newest.next = await newest.items.next();
  }
}

async function* itemsOf(context: Context, query: JsonObject, range: ListRange) {
  for await (const { items } of context.pages('listActivity', { query }, range)) yield* items;
}

type Next = IteratorResult<ActivityItem, void>;

const isNewer = (a: Next, b: Next) =>
  !a.done && !b.done && (a.value.createdAt ?? '') > (b.value.createdAt ?? '');

// The start of the time that is read: without --since, at most as long ago as the plan of the organization keeps activity.

interface ReadTime {
  after: string | undefined;
  until: string;
  defaultMs: number;
  serviceTime: () => Promise<number>;
}

/** `read` fails with its first request if the plan keeps activity for less time. */
export async function sinceRetention<T>(
  context: Context,
  { after, until, defaultMs, serviceTime }: ReadTime,
  read: (after: string) => Promise<T>,
): Promise<T> {
  const isoTime = (ms: number) => new Date(ms).toISOString();
  try {
    return await read(after ?? isoTime(Date.parse(until) - defaultMs));
  } catch (error) {
    const now = await serviceTime();
    const days = after === undefined ? keptDays(error, now) : undefined;
    const start = isoTime(now - unitMs.d * (days ?? 0));
    if (days === undefined || start >= until) throw error;
    context.note(
      `The plan of this organization keeps the activity of the last ${days === 1 ? '24 hours' : `${days} days`}, so older events are not counted.`,
    );
    return read(start);
  }
}

/** How many days of activity the plan keeps, from the error about its retention; undefined for other errors. */
function keptDays(error: unknown, now: number): number | undefined {
  const start = error instanceof SvcError ? retentionStart(error) : undefined;
  const days = start === undefined ? 0 : Math.floor((now - start) / unitMs.d);
  return days > 0 ? days : undefined;
}
