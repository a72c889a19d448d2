// "Did you mean": finds the candidates that are closest to a misspelled word. Also finds the id that a short one means.

import { usageError } from './errors.ts';
import { listSome } from './text.ts';

/** Up to three candidates within typo distance, closest first. Never the opposite of the word. */
export function closestMatches(word: string, candidates: Iterable<string>): string[] {
  return [...candidates]
    .map((candidate) => ({ candidate, cost: editDistance(word, candidate) }))
    .filter(({ candidate, cost }) => cost <= Math.max(1, Math.floor(candidate.length / 3)))
    .filter(
      ({ candidate, cost }) =>
        !listOpposites(candidate).some((opposite) => editDistance(word, opposite) <= cost),
    )
    .sort((a, b) => a.cost - b.cost)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** All candidates, closest first. */
export const sortByDistance = (word: string, candidates: readonly string[]) =>
  [...candidates].sort((a, b) => editDistance(word, a) - editDistance(word, b));

const opposites = [
  ['enable', 'disable'],
  ['activate', 'deactivate'],
  ['create', 'delete'],
  ['add', 'remove'],
  ['start', 'stop'],
  ['login', 'logout'],
  ['push', 'pull'],
  ['before', 'after'],
  ['asc', 'desc'],
] as const;

/** `unread` and `no-read` for `read` and vice versa; `disable` for `enable`. Options keep their dashes. */
function listOpposites(candidate: string): string[] {
  const [, dashes = '', name = ''] = /^(-*)(.*)$/.exec(candidate.toLowerCase()) ?? [];
  const negated = /^(?:un|no-)(.+)$/.exec(name)?.[1];
  const paired = opposites.flatMap(([first, other]) =>
    name === first ? [other] : name === other ? [first] : [],
  );
  const names = [...(negated === undefined ? [`un${name}`, `no-${name}`] : [negated]), ...paired];
  return names.map((name) => dashes + name);
}

export const editDistance = (a: string, b: string) => countEdits(a.toLowerCase(), b.toLowerCase());

/** 1 if `b` starts with `a`; otherwise the number of edits, including swaps of adjacent characters. */
function countEdits(a: string, b: string): number {
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

/** Shorter texts are not searched: they are more likely a mistake. */
export const minIdLength = 6;

/** The id that begins or ends with a text, also as tables cut it; undefined without a match. Throws a usage error if there are several. */
export function uniqueId(ids: readonly string[], short: string, noun: string): string | undefined {
  const text = short.replace(/^…/, '');
  if (text.length < minIdLength) return undefined;
  const found = ids.filter((id) => id.startsWith(text) || id.endsWith(text));
  if (found.length > 1)
    throw usageError(`Several ${noun} have \`${text}\` in their id: ${listSome(found, 5)}.`);
  return found[0];
}
