// Reads the words of a command line, and finds the command in them. Global options before the command are moved after it.
// Loads only the named group.
import { usageError } from '../core/errors.ts';
import {
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
  verbAliases,
} from './command.ts';
import { type Globals, globalOptions } from './globals.ts';
import type { Parsed } from './parser.ts';
import { readValue, spell, spellArgument } from './spelling.ts';

/** An option with its value, or another word. */
export interface Word {
  /** As typed: two if the value of the option is a word of its own. */
  tokens: readonly string[];
  /** Undefined for arguments, unknown options, and all words from `--` on. */
  option?: Option;
  attribute?: string;
  value?: string | undefined;
}

type NamedOptions = ReadonlyMap<string, { attribute: string; option: Option }>;

/** The options by all that can be typed for them. */
export const namesOf = (options: Record<string, Option>): NamedOptions =>
  new Map(
    Object.entries(options).flatMap(([attribute, option]) => {
      const [, , alias] = option.shorthandFor ?? [];
      const names = [...spell(option).names, ...(alias === undefined ? [] : [alias])];
      return names.map((name) => [name, { attribute, option }] as const);
    }),
  );

const globalNames = namesOf(globalOptions);

/** `--profile=work` → `--profile`. */
const nameIn = (token: string) => token.split('=', 1)[0] ?? token;

export function readWords(argv: readonly string[], names: NamedOptions = globalNames): Word[] {
  const words: Word[] = [];
  // An option of a command takes any text as its value, a global option no other option.
  const isValue = (token: string | undefined, option: Option): token is string =>
    token !== undefined &&
    !(isGlobal(option) && (names.has(nameIn(token)) || ['--', '-h', '--help'].includes(token)));
  for (let at = 0; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token === '--') return [...words, ...argv.slice(at).map((rest) => ({ tokens: [rest] }))];
    const name = nameIn(token);
    const found = names.get(name);
    const next = argv[at + 1];
    if (
      found &&
      token === name &&
      spell(found.option).value !== undefined &&
      isValue(next, found.option)
    ) {
      at += 1;
      words.push({ ...found, tokens: [token, next], value: next });
    } else words.push({ ...found, tokens: [token], value: token.slice(name.length + 1) });
  }
  return words;
}

/** The global options in words that are not parsed yet; without those whose value is not valid. */
export function readGlobals(words: readonly Word[]): Globals {
  const values = words.flatMap(({ option, attribute, value = '' }): [string, unknown][] => {
    if (!option || attribute === undefined) return [];
    const { value: placeholder, modes, isNegative } = spell(option);
    if (placeholder === undefined && modes.length === 0) return [[attribute, !isNegative]];
    try {
      return [[attribute, readValue(option, value)]];
    } catch {
      return [];
    }
  });
  return Object.fromEntries(values);
}

export interface Located {
  /** The names of the command without aliases: `['topics', 'list']`. */
  path: string[];
  /** The command or group; undefined if the first word is unknown. */
  node: Command | Group | undefined;
  /** The remaining words in order, after the global options that preceded the command. */
  rest: string[];
  /** The first word that is not a child of `node`. */
  unknown?: string;
  /** Whether the rest asks for help. */
  hasHelp: boolean;
}

export async function locate(words: readonly Word[], tree: CommandTree): Promise<Located> {
  const path: string[] = [];
  const hoisted: Word[] = [];
  let node: Located['node'];
  let unknown: string | undefined;
  let at = 0;
  for (const word of words) {
    const [token = ''] = word.tokens;
    if (node && !isGroup(node)) break;
    if (word.option) hoisted.push(word);
    else if (token.startsWith('-') && token !== '-') break;
    else {
      const child = await findChild(node, token, tree);
      if (!child) {
        unknown = token;
        break;
      }
      path.push(child.name);
      node = child.node;
    }
    at += 1;
  }
  const left = [...hoisted, ...words.slice(at)];
  const rest = left.flatMap(({ tokens }) => tokens);
  const hasHelp = rest.includes('--help') || rest.includes('-h');
  // The parser of a command checks its own line.
  if (!(node && !isGroup(node)) && !hasHelp && unknown === undefined)
    requireGlobalOptionValues(left, ['svc', ...path].join(' '));
  return { path, node, rest, hasHelp, ...(unknown === undefined ? {} : { unknown }) };
}

async function findChild(node: Group | Command | undefined, word: string, tree: CommandTree) {
  if (!node) {
    const entry = Object.entries(tree).find(
      ([name, group]) => name === word || group.alias === word,
    );
    return entry ? { name: entry[0], node: await entry[1].load() } : undefined;
  }
  if (!isGroup(node)) return undefined;
  for (const name of [word, verbAliases[word]]) {
    const child =
      name !== undefined && Object.hasOwn(node.commands, name) ? node.commands[name] : undefined;
    if (name !== undefined && child) return { name, node: child };
  }
  return undefined;
}

/**
 * Throws a usage error if a global option has no value, such as `--profile` as the last word or before another option.
 * `commandPath` is the command without its arguments, such as `svc topics list`.
 */
export function requireGlobalOptionValues(words: readonly Word[], commandPath: string): void {
  for (const [at, { tokens, option }] of words.entries()) {
    const isMissing = tokens.length === 1 && !tokens[0]?.includes('=');
    if (!option || !isMissing || !isGlobal(option) || spell(option).value === undefined) continue;
    const { long } = spell(option);
    const next = words[at + 1]?.tokens[0];
    const canBeValue = next !== undefined && next !== '--';
    throw usageError(`\`${long}\` needs a value.`, {
      next: [`${commandPath} --help`],
      hint: canBeValue ? `If \`${next}\` is the value, write \`${long}=${next}\`.` : undefined,
    });
  }
}

const isGlobal = (option: Option) => Object.values<Option>(globalOptions).includes(option);

/**
 * Parses command lines that contain only arguments, without loading the parser, which is the largest module of a short
 * command. Undefined if the line has options or an error, which the parser handles.
 */
export function parsePositionals(
  { arguments: specs = {} }: Command,
  words: readonly string[],
): Parsed | undefined {
  const args = Object.entries(specs).map(([attribute, argument]) => ({
    ...spellArgument(argument),
    attribute,
    choices: argument.choices,
  }));
  const needed = args.filter(({ isRequired }) => isRequired).length;
  const most = args.some(({ isRepeated }) => isRepeated) ? Number.POSITIVE_INFINITY : args.length;
  if (words.length < needed || words.length > most) return undefined;
  if (words.some((word) => word.startsWith('-')) || args.some(({ choices }) => choices))
    return undefined;
  const values = args.map(({ attribute, isRepeated }, index) => [
    attribute,
    isRepeated ? words.slice(index) : words[index],
  ]);
  return { args: Object.fromEntries(values), options: {}, globals: {}, help: false };
}
