// "Did you mean" for commands: never a write for what was probably a read, nor another verb for one that is known.
import { closestMatches, editDistance } from './suggestions.ts';

/** Verbs that mean the same to people. Those of the first line read. */
const reading = [
  ['get', 'show', 'view', 'describe', 'info', 'inspect', 'read', 'cat'],
  ['list', 'ls', 'find', 'search', 'query', 'all'],
  ['count', 'stats', 'status', 'explain', 'diff', 'export', 'check', 'history'],
];
const writing = [
  ['create', 'add', 'new', 'make'],
  ['delete', 'remove', 'rm', 'del', 'destroy'],
  ['update', 'edit', 'modify', 'change', 'set'],
  ['subscribe', 'join'],
  ['unsubscribe', 'leave'],
  ['import', 'bulk-import', 'upload'],
  ['send', 'trigger'],
];
const verbs = [...reading, ...writing];
const readVerbs = reading.flat();

/** Up to three of the commands; `writes` are those among them that change something. */
export function suggestCommands(
  typed: string,
  among: readonly string[],
  writes: readonly string[],
): string[] {
  const word = typed.toLowerCase();
  // Who types a verb means it: what looks like it is another one.
  const synonyms = verbs.find((group) => group.includes(word));
  if (synonyms) return among.filter((one) => synonyms.includes(one)).slice(0, 3);
  const readCost = Math.min(...readVerbs.map((verb) => editDistance(word, verb)));
  return closestMatches(word, among).filter(
    (one) => !writes.includes(one) || editDistance(word, one) < readCost,
  );
}
