// Why rows were rejected, counted by reason: some dozens of different ones, however many rows there are.

const most = 64;

export interface Reason {
  why: string;
  count: number;
}

export function createReasons() {
  const counts = new Map<string, number>();
  let all = 0;
  return {
    add(why: string) {
      all++;
      const before = counts.get(why);
      if (before !== undefined || counts.size < most) counts.set(why, (before ?? 0) + 1);
    },
    /** So many of the most frequent ones, the first of them first, and what is left as one more. */
    top(number: number): Reason[] {
      const top = [...counts]
        .map(([why, count]) => ({ why, count }))
        .sort((one, other) => other.count - one.count)
        .slice(0, number);
      const others = top.reduce((left, { count }) => left - count, all);
      return others === 0 ? top : [...top, { why: 'other reasons', count: others }];
    },
  };
}
