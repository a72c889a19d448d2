// Every command with an example that needs no shell, as the words of its line.
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';

export interface CommandLine {
  /** `topics list`. */
  name: string;
  command: Command;
  /** The words of a plain example; empty when there is none. */
  words: string[];
}

const commandsOf = (path: string, node: Group | Command): [string, Command][] =>
  isGroup(node)
    ? Object.entries(node.commands).flatMap(([name, child]) => commandsOf(`${path} ${name}`, child))
    : [[path, node]];

const plain = ({ examples }: Command) =>
  examples.find(({ line }) => line.startsWith('svc ') && !/[|<>$@]|--jq|--json|-o |env:/.test(line))
    ?.line;

/** Words as a shell would split them. */
const wordsOf = (line: string) =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
    .slice(1)
    .map((word) =>
      word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single),
    );

export async function commandLines(): Promise<CommandLine[]> {
  const loaded = await Promise.all(
    Object.entries(commandTree).map(async ([noun, lazy]) => commandsOf(noun, await lazy.load())),
  );
  return loaded
    .flat()
    .map(([name, command]) => ({ name, command, words: wordsOf(plain(command) ?? '') }));
}
