// Errors for unknown commands and options, with suggestions. Loaded only for such an error.
import { type CommandTree, type Group, isGroup } from '../cli/command.ts';
import { suggestLine } from '../cli/suggest-command.ts';
import { SvcError } from '../core/errors.ts';
import { listText } from '../core/text.ts';

/** Returns the error for an unknown first word. `words` is the command line from that word on. */
export async function unknownFirstWord(
  words: readonly string[],
  tree: CommandTree,
): Promise<SvcError> {
  const [word = ''] = words;
  const plain = words.filter((word) => !word.startsWith('-'));
  const suggestion = await suggestLine(plain, tree);
  if (!suggestion) return unknownWord([], word, Object.keys(tree));
  const { commands, group } = suggestion;
  const lines = commands.map((command) => `svc ${command}`);
  const next = lines.length > 0 ? lines : [group ? `svc ${group.path}` : 'svc'];
  const question =
    lines.length > 0
      ? ` Did you mean ${listText(
          lines.map((line) => `\`${line}\``),
          'or',
        )}?`
      : '';
  return new SvcError('usage', `Unknown command \`${word}\` for \`svc\`.${question}`, {
    hint: group?.details,
    next: next.map((line) => `${line} --help`),
  });
}

/** Returns the error for a word after a group that is not one of its commands. */
export const unknownSubcommand = (path: readonly string[], word: string, group: Group): SvcError =>
  unknownWord(path, word, Object.keys(group.commands), { group, writes: writingCommands(group) });

/** Returns the error for an option where a command is expected. */
export const unknownOption = (path: readonly string[], option: string): SvcError =>
  unknownWord(path, option, path.length === 0 ? ['--help', '--version'] : ['--help']);

/** Names the commands of a group that can change data, in the service or on this machine. */
const writingCommands = ({ commands }: Group): string[] =>
  Object.entries(commands)
    .filter(([, node]) => !isGroup(node) && (node.writes !== false || node.localOnly === true))
    .map(([name]) => name);

/** For these verbs, if a group has no such command, its details are the hint: they explain why it is missing. */
const commonVerbs = /^(ls|list|get|show|find|create|add|new|update|delete|rm|remove|unsubscribe)$/;

function unknownWord(
  path: readonly string[],
  word: string,
  candidates: readonly string[],
  { group, writes = [] }: { group?: Group; writes?: readonly string[] } = {},
) {
  const line = ['svc', ...path].join(' ');
  const noun = word.startsWith('-') ? 'option' : 'command';
  return new SvcError('usage', `Unknown ${noun} \`${word}\` for \`${line}\`.`, {
    suggestion: { input: word, candidates, ...(noun === 'command' ? { writes } : {}) },
    hint: commonVerbs.test(word) ? group?.details : undefined,
    next: [
      ...(group?.alternative && commonVerbs.test(word) ? [group.alternative] : []),
      `${line} --help`,
    ],
  });
}
