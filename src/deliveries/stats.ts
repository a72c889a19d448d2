// Counts what happened to events, one item at a time and in constant memory: every table has a maximum size.
import { unitMs } from '../core/durations.ts';
import { groupBy } from '../core/objects.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import { messageCount } from './outcome-tokens.ts';
import { countedCause, noOutcomes, type OutcomeCounts } from './summary.ts';
import { type StepVerdict, stepVerdicts, workflowIdentifier } from './verdict.ts';

export const groupings = ['workflow', 'channel', 'day', 'hour', 'reason'] as const;
export type Grouping = (typeof groupings)[number];

/** Messages are counted per recipient and step: an event with two channels for one recipient has two. */
interface Counts extends OutcomeCounts {
  events: number;
  recipients: number;
}

export type Group = { key: string } & Counts;

export interface Stats {
  total: Counts;
  /** All days or hours of the time in order, other groups by number of messages. */
  groups: Group[];
  /** Why messages were not delivered, most frequent first. */
  reasons: { cause: string; count: number }[];
}

/** Groups beyond this number are counted together. */
const maxGroups = 1_000;
/** For days and hours, whose number is limited by the time that is counted: more than a year. */
const maxIntervals = 10_000;
const otherGroups = 'other';

const zero = (): Counts => ({ events: 0, recipients: 0, ...noOutcomes() });

/** Numbers that a drawing of messages over time has. */
const timelineLength = 28;

interface StatsOptions {
  by: Grouping;
  /** Only the messages of these channels are counted. */
  channels?: readonly string[] | undefined;
  /** ISO times. */
  since: string;
  until: string;
}

export function createStats({ by, channels, since, until }: StatsOptions) {
  const [start, end] = [Date.parse(since), Date.parse(until)];
  const timeline = Array.from({ length: timelineLength }, () => 0);
  const total = zero();
  const groups = new Map<string, Counts>();
  const reasons = new Map<string, number>();
  const recentEvents = createRecentKeys<string>();

  const findGroup = (key: string): [key: string, counts: Counts] => {
    const existing = groups.get(key);
    if (existing) return [key, existing];
    const name = groups.size < (isTime(by) ? maxIntervals : maxGroups) ? key : otherGroups;
    const counts = groups.get(name) ?? zero();
    groups.set(name, counts);
    return [name, counts];
  };

  return {
    add(item: ActivityItem, all: readonly StepVerdict[] = stepVerdicts(item)): void {
      const verdicts = all.filter(({ channel }) => channels?.includes(channel) ?? true);
      countItem(total, '', item, verdicts);
      const place = Math.floor(
        ((Date.parse(item.createdAt ?? '') - start) / (end - start)) * timelineLength,
      );
      const interval = Math.min(Math.max(place, 0), timelineLength - 1);
      if (!Number.isNaN(interval)) timeline[interval] = (timeline[interval] ?? 0) + verdicts.length;
      for (const verdict of verdicts) {
        if (verdict.verdict === 'delivered') continue;
        const cause = countedCause(verdict);
        reasons.set(cause, (reasons.get(cause) ?? 0) + 1);
      }
      for (const [key, own] of splitBy(by, item, verdicts)) {
        const [name, counts] = findGroup(key);
        countItem(counts, name, item, own);
      }
    },
    /** The number of messages over time, oldest first. */
    timeline: (): readonly number[] => timeline,
    result: (): Stats => ({
      total: { ...total },
      groups: sorted(
        by,
        [...withEmptyIntervals()].map(([key, counts]) => ({ key, ...counts })),
      ),
      reasons: [...reasons]
        .map(([cause, count]) => ({ cause, count }))
        .sort((a, b) => b.count - a.count || compare(a.cause, b.cause)),
    }),
  };

  /** The groups, and the days or hours without an event. */
  function withEmptyIntervals(): Map<string, Counts> {
    if (!isTime(by)) return groups;
    const size = by === 'day' ? unitMs.d : unitMs.h;
    const [first, last] = [Math.floor(start / size), Math.floor(end / size)];
    if (!(last - first < maxIntervals)) return groups;
    const filled = new Map(groups);
    for (let interval = first; interval <= last; interval += 1) {
      const key = timeKey(by, new Date(interval * size).toISOString());
      if (!filled.has(key)) filled.set(key, zero());
    }
    return filled;
  }

  /** One item is one recipient; an event is counted with its first recipient. */
  function countItem(
    counts: Counts,
    group: string,
    { transactionId }: ActivityItem,
    verdicts: readonly StepVerdict[],
  ): void {
    counts.recipients += 1;
    if (recentEvents.add(`${group}\n${transactionId}`)) counts.events += 1;
    for (const { verdict } of verdicts) counts[verdict] += 1;
  }
}

const isTime = (by: Grouping): by is 'day' | 'hour' => by === 'day' || by === 'hour';

/** `2026-01-15` or `2026-01-15T12:00Z`. */
const timeKey = (by: 'day' | 'hour', iso: string) =>
  by === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 13)}:00Z`;

/** The verdicts of an item by the key of their group. */
function splitBy(
  by: Grouping,
  item: ActivityItem,
  verdicts: readonly StepVerdict[],
): Map<string, StepVerdict[]> {
  const { createdAt = 'unknown' } = item;
  switch (by) {
    case 'workflow':
      return new Map([[workflowIdentifier(item) ?? 'unknown', [...verdicts]]]);
    case 'day':
    case 'hour':
      return new Map([[timeKey(by, createdAt), [...verdicts]]]);
    case 'channel':
      return groupBy(verdicts, ({ channel }) => channel);
    case 'reason':
      return groupBy(
        verdicts.filter(({ verdict }) => verdict !== 'delivered'),
        countedCause,
      );
  }
}

function sorted(by: Grouping, groups: Group[]): Group[] {
  if (isTime(by)) return groups.sort((a, b) => compare(a.key, b.key));
  return groups.sort((a, b) => messageCount(b) - messageCount(a) || compare(a.key, b.key));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

// The recipients of an event follow each other closely in the listing, so the most recent keys are enough.
const maxRecentKeys = 20_000;

/** The returned function returns true for a key that is not among the most recent ones. */
export function createRecentKeys<K>(maxKeys = maxRecentKeys, keys: Iterable<K> = []) {
  const recent = new Set(keys);
  return {
    /** Returns whether the key is new. */
    add(key: K): boolean {
      const isNew = !recent.delete(key);
      recent.add(key);
      if (recent.size > maxKeys) {
        const [oldest] = recent;
        if (oldest !== undefined) recent.delete(oldest);
      }
      return isNew;
    },
    list: (): K[] => [...recent],
  };
}
