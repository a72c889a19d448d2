// Counts what happened to events, one item at a time and in constant memory: every table has a maximum size.
import type { ActivityItem } from '../service/schemas/activity.ts';
import { createRecentKeys } from './recent-keys.ts';
import { workflowOf } from './subject.ts';
import { type StepVerdict, stepVerdicts } from './verdict.ts';

export const groupings = ['workflow', 'channel', 'day', 'hour', 'reason'] as const;
export type Grouping = (typeof groupings)[number];

/** Messages are counted per recipient and step: an event with two channels for one recipient has two. */
export interface Counts {
  events: number;
  recipients: number;
  delivered: number;
  failed: number;
  skipped: number;
  waiting: number;
}

export type Group = { key: string } & Counts;

export interface Stats {
  total: Counts;
  /** Days and hours in order, other groups by number of messages. */
  groups: Group[];
  /** Why messages were not delivered, most frequent first. */
  reasons: { cause: string; count: number }[];
}

/** Groups beyond this number are counted together. */
const maxGroups = 1_000;
const otherGroups = 'other';

const zero = (): Counts => ({
  events: 0,
  recipients: 0,
  delivered: 0,
  failed: 0,
  skipped: 0,
  waiting: 0,
});

/** With `channels`, only the messages of these channels are counted. */
export function createStats(by: Grouping, channels?: readonly string[]) {
  const total = zero();
  const groups = new Map<string, Counts>();
  const reasons = new Map<string, number>();
  const isNewEvent = createRecentKeys();

  const groupOf = (key: string): [key: string, counts: Counts] => {
    const known = groups.get(key);
    if (known) return [key, known];
    const name = groups.size < maxGroups ? key : otherGroups;
    const counts = groups.get(name) ?? zero();
    groups.set(name, counts);
    return [name, counts];
  };

  return {
    add(item: ActivityItem): void {
      const verdicts = stepVerdicts(item).filter(
        ({ channel }) => channels?.includes(channel) ?? true,
      );
      countItem(total, '', item, verdicts);
      for (const verdict of verdicts) {
        if (verdict.verdict === 'delivered') continue;
        const cause = reasonOf(verdict);
        reasons.set(cause, (reasons.get(cause) ?? 0) + 1);
      }
      for (const [key, own] of splitBy(by, item, verdicts)) {
        const [name, counts] = groupOf(key);
        countItem(counts, name, item, own);
      }
    },
    result: (): Stats => ({
      total: { ...total },
      groups: sorted(
        by,
        [...groups].map(([key, counts]) => ({ key, ...counts })),
      ),
      reasons: [...reasons]
        .map(([cause, count]) => ({ cause, count }))
        .sort((a, b) => b.count - a.count || compare(a.cause, b.cause)),
    }),
  };

  /** One item is one recipient; an event is counted with its first recipient. */
  function countItem(
    counts: Counts,
    group: string,
    { transactionId }: ActivityItem,
    verdicts: readonly StepVerdict[],
  ): void {
    counts.recipients += 1;
    if (isNewEvent(`${group}\n${transactionId}`)) counts.events += 1;
    for (const { verdict } of verdicts) counts[verdict] += 1;
  }
}

/** A step that waits only for its turn has no cause. */
const reasonOf = ({ cause }: StepVerdict): string => cause ?? 'queued';

/** The verdicts of an item by the key of their group. */
function splitBy(
  by: Grouping,
  item: ActivityItem,
  verdicts: readonly StepVerdict[],
): Map<string, StepVerdict[]> {
  const { createdAt = 'unknown' } = item;
  switch (by) {
    case 'workflow':
      return new Map([[workflowOf(item) ?? 'unknown', [...verdicts]]]);
    case 'day':
      return new Map([[createdAt.slice(0, 10), [...verdicts]]]);
    case 'hour':
      return new Map([[`${createdAt.slice(0, 13)}:00Z`, [...verdicts]]]);
    case 'channel':
      return groupBy(verdicts, ({ channel }) => channel);
    case 'reason':
      return groupBy(
        verdicts.filter(({ verdict }) => verdict !== 'delivered'),
        reasonOf,
      );
  }
}

function groupBy(
  verdicts: readonly StepVerdict[],
  keyOf: (verdict: StepVerdict) => string,
): Map<string, StepVerdict[]> {
  const found = new Map<string, StepVerdict[]>();
  for (const verdict of verdicts) {
    const key = keyOf(verdict);
    found.set(key, [...(found.get(key) ?? []), verdict]);
  }
  return found;
}

export const messagesOf = ({ delivered, failed, skipped, waiting }: Counts) =>
  delivered + failed + skipped + waiting;

function sorted(by: Grouping, groups: Group[]): Group[] {
  if (by === 'day' || by === 'hour') return groups.sort((a, b) => compare(a.key, b.key));
  return groups.sort((a, b) => messagesOf(b) - messagesOf(a) || compare(a.key, b.key));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** The part of the messages that arrived, of those that were sent; undefined if none was. */
export function deliveryRate({ delivered, failed }: Counts): number | undefined {
  return delivered + failed === 0 ? undefined : delivered / (delivered + failed);
}
