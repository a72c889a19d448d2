// The command lines that an output proposes, and the profile that they select.

import { expect } from 'vitest';
import { isGroup } from '../../src/cli/command.ts';
import { locate, readWords } from '../../src/cli/locate.ts';
import { parse } from '../../src/cli/parser.ts';
import { commandTree } from '../../src/commands/index.ts';
import { splitShellWords } from '../../src/core/text.ts';
import type { Ran } from '../support/rig.ts';

/** The commands in a text: in backticks, on their own line, or at the end of one after a colon. */
const commandsIn = (text: string) =>
  [
    ...text.matchAll(
      /`(svc [a-z][^`]+)`|^(?:NEXT)? *(?:→ )?(svc [a-z].+)$|: (svc [a-z][^`\n]+)$/gm,
    ),
  ].map(
    ([, ...alternatives]) => alternatives.find((alternative) => alternative !== undefined) ?? '',
  );

const everyString = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values((value as object | null) ?? {}).flatMap(everyString);

const fromJson = (text: string): string[] => {
  try {
    return everyString(JSON.parse(text));
  } catch {
    const [first = '', ...others] = text.split('\n');
    return others.length === 0 ? [first] : [...fromJson(first), ...others.flatMap(fromJson)];
  }
};

export const proposed = ({ stdout, stderr }: Ran): string[] => [
  ...new Set(
    [...fromJson(stderr), ...fromJson(stdout)].flatMap((text) =>
      (/^svc [a-z]/.test(text) ? [text] : commandsIn(text)).flatMap((line) =>
        line.split(/ or (?=svc )/),
      ),
    ),
  ),
];

/** The words up to a redirection. A placeholder is replaced if its value must be one of several. */
const firstWords = (line: string) => {
  const words = splitShellWords(line.replace('<channel>', 'email'));
  const end = words.findIndex(({ quoted }) => quoted === '<' || quoted === '|');
  return words.slice(0, end === -1 ? undefined : end).map(({ text }) => text);
};

/** Parses a command line; returns its options and whether the command sends requests. */
async function parseLine(line: string) {
  const {
    path: names,
    node,
    rest,
    unknown,
  } = await locate(readWords(firstWords(line).slice(1)), commandTree);
  if (!node || unknown !== undefined) throw new Error(`unknown command: ${line}`);
  if (isGroup(node) || rest.includes('--help')) return undefined;
  return { name: names.join(' '), node, ...parse(names, node, rest) };
}

const localNames = /^(?:login|completion install|demo|config \w+|sandbox start|profiles (?!show))/;

export async function expectSelected(lines: readonly string[], selection: Record<string, unknown>) {
  for (const line of lines) {
    const parsed = await parseLine(line);
    if (!parsed) continue;
    const isLocal =
      parsed.name !== 'profiles show' && (parsed.node.offline || localNames.test(parsed.name));
    if (!isLocal || parsed.name === 'login')
      expect({ line, globals: parsed.globals }).toMatchObject({ globals: selection });
    else expect({ line, profile: parsed.globals.profile }).toMatchObject({ profile: undefined });
  }
}
