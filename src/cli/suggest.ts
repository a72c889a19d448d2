// "Did you mean": the candidates nearest to what was typed.

/** Up to three candidates close enough to be a slip, nearest first. */
export function nearest(word: string, candidates: Iterable<string>): string[] {
  return [...candidates]
    .map((candidate) => ({ candidate, cost: distance(word, candidate) }))
    .filter(({ candidate, cost }) => cost <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.cost - b.cost)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** All candidates, nearest first. */
export const ranked = (word: string, candidates: readonly string[]) =>
  [...candidates].sort((a, b) => distance(word, a) - distance(word, b));

const distance = (a: string, b: string) => cost(a.toLowerCase(), b.toLowerCase());

/** A shared beginning counts as near; otherwise the number of edits, swaps of neighbours included. */
function cost(a: string, b: string): number {
  if (a.length >= 3 && b.startsWith(a)) return 1;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_unused, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      current[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (same ? 0 : 1),
        swap ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
