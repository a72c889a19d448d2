// Counts rejected rows by reason, for a limited number of different reasons.

const maxReasons = 64;
const maxReasonLength = 160;
/** Label for all reasons that are not counted separately. */
const otherReasons = 'other reasons';

export interface Reason {
  text: string;
  count: number;
}

export function createReasons(earlier: readonly Reason[] = []) {
  const counts = new Map<string, number>();
  let total = 0;
  const reasons = {
    add(text: string, count = 1) {
      total += count;
      const reason = shorten(text);
      const counted = counts.get(reason);
      if (reason !== otherReasons && (counted !== undefined || counts.size < maxReasons))
        counts.set(reason, (counted ?? 0) + count);
    },
    /** Number of all rejected rows. */
    count: () => total,
    /** Returns the most frequent reasons first, at most `limit`, and one more entry for the rest. */
    top(limit: number): Reason[] {
      const top = [...counts]
        .map(([text, count]) => ({ text, count }))
        .sort((a, b) => b.count - a.count)
        .slice(0, limit);
      const rest = top.reduce((sum, { count }) => sum - count, total);
      return rest === 0 ? top : [...top, { text: otherReasons, count: rest }];
    },
  };
  for (const { text, count } of earlier) reasons.add(text, count);
  return reasons;
}

const shorten = (text: string) =>
  text.length > maxReasonLength ? `${text.slice(0, maxReasonLength)}…` : text;
