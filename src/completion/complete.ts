// `svc __complete -- <words>`: prints the candidates for the last word of a command line, the one at the cursor. It can be
// empty. The completion scripts of all shells call it with the words that follow `svc`. Without `--`, Node 20 would read
// the file of `--env-file` itself. The output is one of these:
//
//   value<TAB>description   Any number of candidates. The description can be empty. A candidate replaces the whole word,
//                           so after `--order=` it is `--order=asc`. The shell selects those that match the word.
//   files                   Without a tab: the word, or its part after `--option=`, is the name of a file.
//   text                    Without a tab: svc has no candidates for this value.
//
// The command sends no request, never prompts, hides errors and loads few modules, so that it is fast.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, configFolder, runsFolder } from '../config/folders.ts';
import type { Configuration } from '../config/store.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import type { Host } from '../platform/host.ts';
import {
  type CachedValue,
  isSafeValue,
  readValues,
  valueFolder,
  withoutControls,
} from './cache.ts';
import commands from './commands.tsv?text';

export function completions([separator, ...words]: readonly string[], host: Host): string {
  const word = words.pop();
  if (separator !== '--' || word === undefined) return '';
  const preceding = readPreceding(words);
  const { candidates, source = '', prefix = '' } = expectedAfter(preceding, word);
  if (source === '@files' || source === '@text') return `${source.slice(1)}\n`;
  const { values, args } = preceding;
  return (candidates ?? valuesOf(source, values, args, host))
    .filter(({ value }) => isSafeValue(value))
    .map(({ value, name = '' }) => `${prefix}${value}\t${withoutControls(name)}\n`)
    .join('');
}

/** The values of a source after these options and arguments, newest first. */
function valuesOf(
  source: string,
  options: Partial<Record<string, string>>,
  args: readonly string[],
  host: Host,
): CachedValue[] {
  if (!source.startsWith('@'))
    return source
      .split('|')
      .filter(Boolean)
      .map((value) => ({ value }));
  const kind = source.slice(1);
  if (kind === 'runs') return listRunIds(runsFolder(host));
  const stored = readConfiguration(join(configFolder(host), 'config.json'));
  if (kind === 'profiles') {
    return Object.entries(stored.profiles).map(([value, { baseUrl }]) => ({
      value,
      name: baseUrl,
    }));
  }
  const whose = { profile: options['--profile'], baseUrl: options['--base-url'], env: host.env };
  const cached = readValues(valueFolder(cacheFolder(host), whose, stored), kind);
  // A command that takes a step takes its workflow as the first argument.
  const [workflow] = args;
  return kind === 'steps' && workflow !== undefined
    ? cached.filter(({ under }) => under === workflow)
    : cached;
}

/** Newest first: run ids start with their time. */
function listRunIds(folder: string): CachedValue[] {
  try {
    return readdirSync(folder)
      .sort()
      .reverse()
      .map((value) => ({ value }));
  } catch {
    return [];
  }
}

/** Returns an empty configuration if the file cannot be read. Other commands report the error. */
function readConfiguration(file: string): Configuration {
  try {
    const stored = JSON.parse(readRegularFile(file)) as Partial<Configuration>;
    return { profiles: {}, settings: {}, ...stored };
  } catch {
    return { profiles: {}, settings: {} };
  }
}

// Reads a command line for Tab completion and finds the candidates for the word at the cursor. The parser of the commands
// is not used, because loading it takes too long. Instead, commands.tsv describes all commands. `npm run docs` generates
// this file. A line has these fields, separated by tabs:
//
//   svc topics|topic list|ls   the path of a command or group with its aliases; `*` for the global options
//   List topics                the summary
//   @topics @files*            the source of each argument; the one with `*` takes any number of values
//   -p,--profile @profiles     an option: its spellings and, unless it is a switch, the source of its values
//   Use this profile           the summary of the option, followed by the other options
//
// A source is a list of values, a kind of cached values such as `@topics`, `@files`, or `@text` for other texts.

export interface Expected {
  /** Names of commands or options with their summaries. */
  candidates?: CachedValue[];
  /** The source of other candidates. */
  source?: string | undefined;
  /** `--order=`, if the word contains an option and its value. */
  prefix?: string;
}

interface Option {
  names: string[];
  /** Undefined for a switch. */
  source: string | undefined;
  summary: string;
}

interface CommandNode {
  path: string;
  /** The sources of the arguments. */
  sources: string[];
  options: Option[];
}

/** The words before the cursor. */
interface Preceding {
  node: CommandNode;
  args: string[];
  /** The values of options by their long names. */
  values: Record<string, string | undefined>;
  /** The option whose value is the next word. */
  pending: Option | undefined;
  /** All further words are arguments, because the line contains `--`. */
  isLiteral: boolean;
}

const lines = commands.split('\n');

export function readPreceding(words: readonly string[]): Preceding {
  const line: Preceding = {
    node: readNode('svc'),
    args: [],
    values: {},
    pending: undefined,
    isLiteral: false,
  };
  for (const word of words) {
    if (line.pending) {
      line.values[line.pending.names.at(-1) ?? ''] = word;
      line.pending = undefined;
    } else if (!line.isLiteral && word === '--') {
      line.isLiteral = true;
    } else if (!line.isLiteral && /^-./.test(word)) {
      const [, name, value] = /^(--.*?)=(.*)$/s.exec(word) ?? [];
      if (name !== undefined) line.values[name] = value;
      else line.pending = findOption(line.node, word);
    } else {
      const child = childrenOf(line.node.path).find(({ names }) => names.includes(word));
      if (child && line.args.length === 0) line.node = readNode(child.path);
      else line.args.push(word);
    }
  }
  return line;
}

/** The candidates for a word after the preceding ones. */
export function expectedAfter(
  { node, args, pending, isLiteral }: Preceding,
  word: string,
): Expected {
  if (pending) return { source: pending.source };
  if (!isLiteral && word.startsWith('-')) {
    const [prefix = ''] = /^--.*?=/.exec(word) ?? [];
    const option = findOption(node, prefix.slice(0, -1));
    return option ? { source: option.source, prefix } : { candidates: optionNames(node, prefix) };
  }
  const children = childrenOf(node.path);
  if (children.length > 0 && args.length === 0)
    return {
      candidates: children.map(({ names: [value = ''], summary }) => ({ value, name: summary })),
    };
  const last = node.sources.at(-1);
  const source = node.sources[args.length] ?? (last?.endsWith('*') ? last : undefined);
  return { source: source?.replace('*', '') };
}

/** The names of options that start with the prefix: those of the command, then the global ones. */
const optionNames = (node: CommandNode, prefix: string): CachedValue[] =>
  acceptedOptions(node).flatMap(({ names, summary }) =>
    names.filter((name) => name.startsWith(prefix)).map((value) => ({ value, name: summary })),
  );

/** The option with this name, if it takes a value. One of the command overrides a global one. */
const findOption = (node: CommandNode, name: string): Option | undefined =>
  acceptedOptions(node).find(({ names, source }) => source !== undefined && names.includes(name));

const acceptedOptions = ({ options }: CommandNode): Option[] => [
  ...options,
  ...readNode('*').options,
];

const childrenOf = (path: string) =>
  lines
    .filter((line) => line.startsWith(`${path} `))
    .map((line) => line.split('\t', 2))
    .filter(([child = '']) => !child.includes(' ', path.length + 1))
    .map(([child = '', summary = '']) => ({
      path: child,
      names: child.slice(path.length + 1).split('|'),
      summary,
    }));

function readNode(wanted: string): CommandNode {
  const line = lines.find((one) => one.startsWith(`${wanted}\t`)) ?? '';
  const [path = '', , sources = '', ...fields] = line.split('\t');
  const options = fields.flatMap((field, index) => {
    if (index % 2 === 1) return [];
    const [names = '', source] = field.split(' ');
    return [{ names: names.split(','), source, summary: fields[index + 1] ?? '' }];
  });
  return { path, sources: sources === '' ? [] : sources.split(' '), options };
}
