// Lists every command with one of its examples, split into arguments, and prepares what the examples use.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Command, type Group, isGroup } from '../../src/cli/command.ts';
import { commandTree } from '../../src/commands/index.ts';
import { openRig, type Rig, writeInput } from '../support/rig.ts';

export interface CommandLine {
  /** The path of the command, such as `topics list`. */
  name: string;
  command: Command;
  /** The arguments of an example without shell syntax; empty if the command has no such example. */
  args: string[];
}

const commandsOf = (path: string, node: Group | Command): [string, Command][] =>
  isGroup(node)
    ? Object.entries(node.commands).flatMap(([name, child]) => commandsOf(`${path} ${name}`, child))
    : [[path, node]];

/** Shell operators and variables, options that change the output, and arguments that refer to a file or variable. */
const excluded = /[|<>$@]|--jq|--json|-o |env:/;

const exampleWithoutShell = ({ examples }: Command) =>
  examples.find(({ line }) => line.startsWith('svc ') && !excluded.test(line))?.line;

/** Splits a command line like a shell and drops `svc`. */
const splitArgs = (line: string) =>
  (line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
    .slice(1)
    .map((word) =>
      word.replace(/"([^"]*)"|'([^']*)'/g, (_all, double, single) => double ?? single),
    );

export async function commandLines(): Promise<CommandLine[]> {
  const loaded = await Promise.all(
    Object.entries(commandTree).map(async ([noun, lazy]) => commandsOf(noun, await lazy.load())),
  );
  return loaded.flat().map(([name, command]) => ({
    name,
    command,
    args: splitArgs(exampleWithoutShell(command) ?? ''),
  }));
}

/** Writes the files that some examples use. */
export function writeExampleFiles(rig: Rig): void {
  writeInput(rig, 'users.csv', 'subscriberId\nu1\nu2\n');
  mkdirSync(path.join(rig.folder, 'workflows'));
  writeInput(rig, 'workflows/a.yaml', '# svc workflow, format 1\nworkflowId: a\n');
}

/** Returns a rig with the files and profiles that some examples use. */
export async function openExampleRig(): Promise<Rig> {
  const rig = await openRig();
  writeExampleFiles(rig);
  await rig.svc(['environments', 'list', '--save-profiles']);
  return rig;
}
