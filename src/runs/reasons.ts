// Why rows were rejected, counted by reason: some dozens of different ones, however many rows there are.

const most = 64;

export interface Reason {
  why: string;
  count: number;
}

export function createReasons() {
  const counts = new Map<string, number>();
  return {
    add(why: string) {
      const before = counts.get(why);
      if (before !== undefined || counts.size < most) counts.set(why, (before ?? 0) + 1);
    },
    /** The most frequent ones, the first of them first. */
    top: (number: number): Reason[] =>
      [...counts]
        .map(([why, count]) => ({ why, count }))
        .sort((one, other) => other.count - one.count)
        .slice(0, number),
  };
}
