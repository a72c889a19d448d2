// Why rows were rejected, counted by reason: some dozens of different ones, however many rows there are.

const most = 64;
const longestReason = 160;
/** Stands for all reasons that are not counted one by one. */
const others = 'other reasons';

export interface Reason {
  why: string;
  count: number;
}

export function createReasons(before: readonly Reason[] = []) {
  const counts = new Map<string, number>();
  let all = 0;
  const reasons = {
    add(text: string, count = 1) {
      all += count;
      const why = shortened(text);
      const known = counts.get(why);
      if (why !== others && (known !== undefined || counts.size < most))
        counts.set(why, (known ?? 0) + count);
    },
    /** How many reasons were counted. */
    count: () => all,
    /** The most frequent ones, at most so many and most frequent first, and the rest as one more. */
    top(number: number): Reason[] {
      const top = [...counts]
        .map(([why, count]) => ({ why, count }))
        .sort((one, other) => other.count - one.count)
        .slice(0, number);
      const left = top.reduce((sum, { count }) => sum - count, all);
      return left === 0 ? top : [...top, { why: others, count: left }];
    },
  };
  for (const { why, count } of before) reasons.add(why, count);
  return reasons;
}

const shortened = (why: string) =>
  why.length > longestReason ? `${why.slice(0, longestReason)}…` : why;
