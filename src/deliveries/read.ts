// Reads the activity of many transactions: some of them in each request, or the listing of their time window if that
// takes fewer requests.

import type { Context } from '../app/context.ts';
import { groupTransactions } from '../bulk/operations/transaction-ids.ts';
import { mapConcurrently } from '../core/async.ts';
import { ifPresent, isNotOffered, SvcError } from '../core/errors.ts';
import { minIdLength, uniqueId } from '../core/suggestions.ts';
import { counted } from '../core/text.ts';
import { type Format, outputShape } from '../output/printer.ts';
import { showProgressLine } from '../output/progress-line.ts';
import type { ListPage } from '../output/result.ts';
import { limits } from '../service/limits.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { type FindEvent, findDigestId } from './verdict.ts';

/** The client waits if the service limits the rate. */
export const maxConcurrent = 4;
/** The clock of the service can differ between its machines. */
const windowMarginMs = 60_000;

interface Transactions {
  ids: readonly string[];
  /** Whether each event has exactly one recipient, so that a full page needs no next one. */
  isSingle: boolean;
}

type Add = (item: ActivityItem) => void;

/** Reads transactions, as many in one request as the service accepts. `onRequest` is called for each response. */
export async function readTransactions(
  context: Context,
  { ids, isSingle }: Transactions,
  add: Add,
  onRequest: () => void = () => undefined,
): Promise<void> {
  const readGroup = async (group: readonly string[]) => {
    const missing = new Set(group);
    const query = { transactionId: [...group] };
    for await (const { items } of context.pages('listActivity', { query }, { all: true })) {
      onRequest();
      for (const item of items) {
        add(item);
        missing.delete(item.transactionId);
      }
      if (isSingle && missing.size === 0) return;
    }
  };
  const groups = groupTransactions(ids, (id) => id);
  for await (const _ of mapConcurrently(groups, maxConcurrent, readGroup));
}

/** Reads all transactions the shorter way, and says first how many requests that takes. */
export async function readAllTransactions(
  context: Context,
  transactions: Transactions,
  add: Add,
): Promise<void> {
  const { ids } = transactions;
  const way = await chooseWay(context, transactions, add);
  const events = counted(ids.length, 'event');
  const requests = `${way.isExact ? '' : 'about '}${counted(way.requests, 'request')}`;
  if (way.requests > 1)
    context.note(
      way.window
        ? `Reading the activity of the time of the run: ${requests}.`
        : `Reading the deliveries of ${events}: ${requests}.`,
    );
  let done = 0;
  const onRequest = () => {
    done += 1;
  };
  const { host } = context;
  const stop = showProgressLine(context, () => `Reading deliveries: ${done} of ${requests}`);
  const allowHeapGrowth = host.limitHeapGrowth();
  try {
    if (!way.window)
      return await readTransactions(context, { ...transactions, ids: way.ids }, add, onRequest);
    const missing = new Set(way.ids);
    const wanted = new Set(way.ids);
    const range = { all: true };
    for await (const { items } of context.pages('listActivity', { query: way.window }, range)) {
      onRequest();
      for (const item of items) {
        if (!wanted.has(item.transactionId)) continue;
        add(item);
        missing.delete(item.transactionId);
      }
    }
    await readTransactions(context, { ...transactions, ids: [...missing] }, add, onRequest);
  } finally {
    stop();
    allowHeapGrowth();
  }
}

interface Window {
  after: string;
  before: string;
}

interface Way {
  /** The transactions that are still to be read. */
  ids: readonly string[];
  requests: number;
  isExact: boolean;
  window?: Window;
}

async function chooseWay(context: Context, transactions: Transactions, add: Add): Promise<Way> {
  const { ids, isSingle } = transactions;
  const groups = groupTransactions(ids, (id) => id);
  // Each event is at least one item of the listing, so the listing has at least this many pages.
  const minPages = Math.ceil(ids.length / limits.page.activity);
  const [first = [], ...others] = groups;
  const last = others.pop();
  if ((isSingle && groups.length <= minPages) || others.length === 0 || !last)
    return { ids, requests: groups.length, isExact: isSingle };
  // The first and the last events show the time window in the clock of the service, and the pages of a group.
  let sampled = 0;
  const times: number[] = [];
  const sample = { ids: [...first, ...last], isSingle };
  await readTransactions(
    context,
    sample,
    (item) => {
      add(item);
      times.push(Date.parse(item.createdAt ?? ''));
    },
    () => {
      sampled += 1;
    },
  );
  const rest = { ids: others.flat(), requests: Math.ceil((others.length * sampled) / 2) };
  const window = toWindow(times);
  if (!window || rest.requests < 2 || !(await isBeyond(context, window, rest.requests - 1)))
    return { ...rest, isExact: false };
  return { ...rest, requests: rest.requests - 1, isExact: false, window };
}

function toWindow(times: readonly number[]): Window | undefined {
  const valid = times.filter((time) => !Number.isNaN(time));
  if (valid.length === 0) return undefined;
  const iso = (time: number) => new Date(time).toISOString();
  const [min, max] = valid.reduce(
    ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return { after: iso(min - windowMarginMs), before: iso(max + windowMarginMs) };
}

/** Whether the listing ends before this page. */
async function isBeyond(context: Context, window: Window, page: number): Promise<boolean> {
  const query = { ...window, page, limit: limits.page.activity };
  const { data } = await context.call('listActivity', { query });
  return Array.isArray(data) && data.length === 0;
}

/** Throws if an event has another recipient: the service has ignored the filter. */
export function requireRecipient(items: readonly ActivityItem[], subscriberId: string): void {
  const other = items.find(
    ({ subscriber }) => subscriber && subscriber.subscriberId !== subscriberId,
  );
  if (other)
    throw new SvcError(
      'refused',
      `The service listed the event ${other.transactionId} of another subscriber for ${subscriberId}.`,
      { hint: 'This is a fault of the service.' },
    );
}

// Reads one event, which contains what a listing can leave out.

/** Returns a function for the event with an `_id`; undefined if the service says that it cannot return it. */
export function createEventReader(context: Context) {
  let isOffered = true;
  const isRefused = (error: unknown) => error instanceof SvcError && error.exitReason === 'refused';
  return async (notificationId: string): Promise<ActivityItem | undefined> => {
    if (!isOffered) return undefined;
    const client = await context.client();
    try {
      return await ifPresent(client.call('getActivity', { path: { notificationId } }));
    } catch (error) {
      isOffered &&= !isNotOffered(error);
      if (isOffered && !isRefused(error)) throw error;
      return undefined;
    }
  };
}

// Finds the events whose digests carry steps of other events, because these steps have the outcomes of the digests.

/** Events to keep: the events of a digest follow each other closely in the listing. */
const maxKept = 1_000;
/** Merged events that wait for their digest, so that the memory is constant. */
const maxWaiting = 4_000;
/** Digests to read before the events that wait for them are counted. */
const batchSize = 40;

export function createDigestEvents(context: Context) {
  const events = new Map<string, ActivityItem>();
  const find: FindEvent = (id) => events.get(id);
  const readEvent = createEventReader(context);

  /** Reads events; `find` returns those that the service has. */
  async function read(ids: Iterable<string>): Promise<void> {
    for await (const event of mapConcurrently(new Set(ids), maxConcurrent, readEvent))
      if (event) events.set(event._id ?? '', event);
  }

  /** The same pages, after the events that they refer to are known. */
  async function* follow(pages: AsyncIterable<ListPage<ActivityItem>>) {
    for await (const page of pages) {
      if (events.size > maxKept) events.clear();
      const wanted = new Set(page.items.flatMap((item) => findDigestId(item) ?? []));
      for (const item of page.items)
        if (item._id !== undefined && wanted.has(item._id)) events.set(item._id, item);
      await read([...wanted].filter((id) => !events.has(id)));
      yield page;
    }
  }

  return {
    find,
    read,
    follow,
    /** Follows only if the output has outcomes: a JSON item is the service's. */
    followFor(pages: AsyncIterable<ListPage<ActivityItem>>, defaultFormat?: Format) {
      const shape = outputShape(context, defaultFormat);
      return ['table', 'lines', 'csv', 'tsv'].includes(shape) ? follow(pages) : pages;
    },
    /**
     * Calls `count` once for each event that is added, for a merged one when its digest is known. That event is older,
     * and listings have newer events first, so it usually comes later in the same listing. `settle` reads digests if
     * too many events wait, and `finish` all that are missing.
     */
    queue(count: (item: ActivityItem, findEvent?: FindEvent) => void) {
      const waiting = new Map<string, ActivityItem[]>();
      let size = 0;
      const countWaiting = (id: string, findEvent: FindEvent) => {
        const items = waiting.get(id) ?? [];
        waiting.delete(id);
        size -= items.length;
        for (const item of items) count(item, findEvent);
      };
      const readDigests = async (ids: readonly string[]) => {
        for (let at = 0; at < ids.length; at += batchSize) {
          const some = ids.slice(at, at + batchSize);
          await read(some);
          for (const id of some) countWaiting(id, find);
          events.clear();
        }
      };
      return {
        add(item: ActivityItem): void {
          const id = findDigestId(item);
          if (id === undefined) count(item);
          else {
            waiting.set(id, [...(waiting.get(id) ?? []), withoutContent(item)]);
            size += 1;
          }
          const own = item._id ?? '';
          countWaiting(own, (other) => (other === own ? item : undefined));
        },
        /** The events that wait for their digest, to add them to another queue. */
        waiting: (): ActivityItem[] => [...waiting.values()].flat(),
        /** Those that most events wait for first. */
        async settle(): Promise<void> {
          if (size <= maxWaiting) return;
          const byCount = [...waiting].sort(([, one], [, other]) => other.length - one.length);
          for (let at = 0; size > maxWaiting; at += batchSize)
            await readDigests(byCount.slice(at, at + batchSize).map(([id]) => id));
        },
        /** The digests of the oldest events were opened before the time that is listed. */
        finish: () => readDigests([...waiting.keys()]),
      };
    },
  };
}

const withoutContent = ({ payload: _payload, to: _to, jobs, ...item }: ActivityItem) => ({
  ...item,
  jobs: (jobs ?? []).map(({ payload: _content, overrides: _overrides, ...job }) => job),
});

/** The id that a short one means, of the newest events. Throws a usage error if it means several. */
export async function findTransactionId(context: Context, short: string) {
  if (short.length < minIdLength) return undefined;
  const { data } = await context.call('listActivity', { query: { limit: limits.page.activity } });
  const ids = new Set((data ?? []).map(({ transactionId }) => transactionId));
  return uniqueId([...ids], short, 'transactions');
}
