// "Did you mean" for commands. A write is never suggested for a read, nor another verb for a known one.

import { closestMatches, editDistance } from '../core/suggestions.ts';
import { type Command, type CommandTree, type Group, isGroup, verbAliases } from './command.ts';

/** Synonyms of verbs that read. */
const readSynonyms = [
  ['get', 'show', 'view', 'describe', 'info', 'inspect', 'read', 'cat'],
  ['list', 'ls', 'find', 'search', 'query', 'all'],
  ['count', 'stats', 'status', 'explain', 'diff', 'export', 'check', 'history'],
];
const writeSynonyms = [
  ['create', 'add', 'new', 'make'],
  ['delete', 'remove', 'rm', 'del', 'destroy'],
  ['update', 'edit', 'modify', 'change', 'set'],
  ['subscribe', 'join'],
  ['unsubscribe', 'leave'],
  ['import', 'bulk-import', 'upload'],
  ['send', 'trigger'],
];
const verbSynonyms = [...readSynonyms, ...writeSynonyms];
const readVerbs = readSynonyms.flat();

/** Nouns of other tools, in the singular, with the groups that they can mean. */
const nounSynonyms: Record<string, readonly string[]> = {
  ...forAll(['user', 'person', 'people', 'recipient', 'contact', 'customer'], 'subscribers'),
  ...forAll(['notification'], 'activity', 'inbox'),
  ...forAll(['log', 'delivery'], 'activity'),
  ...forAll(['group', 'segment', 'audience'], 'topics'),
  ...forAll(['template', 'flow', 'campaign', 'automation'], 'workflows'),
  ...forAll(['provider', 'gateway'], 'integrations'),
  ...forAll(['env', 'stage'], 'environments'),
  ...forAll(['setting', 'configuration'], 'config'),
  ...forAll(['job'], 'runs'),
  ...forAll(['emulator'], 'sandbox'),
};

function forAll(nouns: readonly string[], ...groups: readonly string[]) {
  return Object.fromEntries(nouns.map((noun) => [noun, groups]));
}

/** Up to three of the commands of a group. `writes` are the candidates that change data. */
export function suggestCommands(
  input: string,
  candidates: readonly string[],
  writes: readonly string[],
): string[] {
  const word = input.toLowerCase();
  // A known verb is not a typo, so only its synonyms are suggested.
  const synonyms = verbSynonyms.find((group) => group.includes(word));
  if (synonyms) return candidates.filter((candidate) => synonyms.includes(candidate)).slice(0, 3);
  const readCost = Math.min(...readVerbs.map((verb) => editDistance(word, verb)));
  return closestMatches(word, candidates).filter(
    (candidate) => !writes.includes(candidate) || editDistance(word, candidate) < readCost,
  );
}

export interface LineSuggestion {
  /** Up to three commands or groups: `topics list`. */
  commands: string[];
  /** The group that was named but lacks the command. */
  group?: { path: string; details: string | undefined };
}

interface NamedGroup {
  path: string;
  node: Group;
}

/**
 * Suggestions for a line with an unknown first word: `list topics`, `users import`, `preferences get`, `trigger`.
 * Returns undefined if the first word is neither a verb nor a synonym of a noun.
 */
export async function suggestLine(
  [first = '', second = '']: readonly string[],
  tree: CommandTree,
): Promise<LineSuggestion | undefined> {
  const groups = await loadGroups(tree);
  const nouns = findGroups(first, groups);
  if (nouns.length > 0) {
    const commands = findCommands(second, nouns);
    if (commands.length > 0) return { commands: commands.slice(0, 3) };
    const paths = nouns.map(({ path }) => path);
    const topLevel = paths.filter((path) => !path.includes(' '));
    const [only, another] = nouns;
    const group = only && { path: only.path, details: only.node.details };
    return {
      commands: topLevel.length > 0 ? topLevel : paths,
      ...(group && !another && second !== '' ? { group } : {}),
    };
  }
  const everywhere = findCommands(first, groups);
  if (everywhere.length === 0 && !isVerb(first)) return undefined;
  const [noun, ...others] = findGroups(second, groups, true);
  if (noun) {
    const commands = findCommands(first, [noun, ...others]);
    if (commands.length > 0) return { commands: commands.slice(0, 3) };
    return { commands, group: { path: noun.path, details: noun.node.details } };
  }
  const exact = everywhere.filter((command) => lastWord(command) === first.toLowerCase());
  const commands = exact.length > 0 ? exact : everywhere;
  return { commands: commands.length > 3 ? [] : commands };
}

const isVerb = (word: string) => verbSynonyms.some((group) => group.includes(word.toLowerCase()));

async function loadGroups(tree: CommandTree): Promise<NamedGroup[]> {
  const loaded = await Promise.all(
    Object.entries(tree).map(async ([path, lazy]) => ({ path, node: await lazy.load() })),
  );
  const isNamedGroup = (entry: { path: string; node: Group | Command }): entry is NamedGroup =>
    isGroup(entry.node);
  const groups = loaded.filter(isNamedGroup);
  // Grows while it is iterated, so nested groups follow their parents.
  for (const { path, node } of groups)
    for (const [name, child] of Object.entries(node.commands))
      if (isGroup(child)) groups.push({ path: `${path} ${name}`, node: child });
  return groups;
}

/** The groups that a word names: by synonym, by their last word, or with `hasTypo` by a similar word. */
function findGroups(word: string, groups: readonly NamedGroup[], hasTypo = false): NamedGroup[] {
  if (word === '') return [];
  const noun = singular(word);
  const synonyms = Object.hasOwn(nounSynonyms, noun) ? (nounSynonyms[noun] ?? []) : [];
  const exact = groups.filter(({ path }) => singular(lastWord(path)) === noun);
  const bySynonym = synonyms.flatMap((synonym) => groups.filter(({ path }) => path === synonym));
  const matches = [...bySynonym, ...exact];
  if (matches.length > 0 || !hasTypo) return matches;
  const [close] = closestMatches(
    word,
    groups.map(({ path }) => path),
  );
  return groups.filter(({ path }) => path === close);
}

/** The commands of the groups that a verb names: by name or alias if possible, otherwise by synonym. */
function findCommands(verb: string, groups: readonly NamedGroup[]): string[] {
  const word = verb.toLowerCase();
  const synonyms = verbSynonyms.find((group) => group.includes(word)) ?? [];
  return groups.flatMap(({ path, node }) => {
    const names = Object.entries(node.commands)
      .filter(([, child]) => !isGroup(child) && !child.hidden)
      .map(([name]) => name);
    const exact = names.filter((name) => name === word || name === verbAliases[word]);
    const chosen = exact.length > 0 ? exact : names.filter((name) => synonyms.includes(name));
    return chosen.map((name) => `${path} ${name}`);
  });
}

const lastWord = (path: string) => path.split(' ').at(-1) ?? '';
const singular = (word: string) => word.toLowerCase().replace(/ies$/, 'y').replace(/s$/, '');
