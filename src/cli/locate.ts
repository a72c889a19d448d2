// Finds the command in argv. Global options before the command are moved after it.
// Loads only the named group.
import { type Command, type CommandTree, type Group, isGroup, verbAliases } from './command.ts';
import { globalOptions } from './globals.ts';
import { requireGlobalOptionValues } from './require-values.ts';
import { spell } from './spelling.ts';

export interface Located {
  /** The names of the command without aliases: `['topics', 'list']`. */
  path: string[];
  /** The command or group; undefined if the first word is unknown. */
  node: Command | Group | undefined;
  /** The remaining words in order, after the global options that preceded the command. */
  rest: string[];
  /** The first word that is not a child of `node`. */
  unknown?: string;
}

const globalSpellings = Object.values(globalOptions).map(spell);
/** The parser rewrites it. */
const noColor = spell({ flags: '--no-color' });

const findGlobal = (name: string) =>
  [...globalSpellings, noColor].find(({ names }) => names.includes(name));

export async function locate(argv: readonly string[], tree: CommandTree): Promise<Located> {
  const located: Located = { path: [], node: undefined, rest: [] };
  const hoisted: string[] = [];
  let at = 0;
  for (; at < argv.length; at += 1) {
    const token = argv[at] ?? '';
    if (token.startsWith('-') && token !== '-') {
      const name = token.split('=')[0] ?? token;
      const option = findGlobal(name);
      if (!option) break;
      hoisted.push(token);
      if (option.value !== undefined && !token.includes('=') && at + 1 < argv.length) {
        at += 1;
        hoisted.push(argv[at] ?? '');
      }
      continue;
    }
    const child = await findChild(located.node, token, tree);
    if (!child) {
      located.unknown = token;
      break;
    }
    located.path.push(child.name);
    located.node = child.node;
    if (!isGroup(child.node)) {
      at += 1;
      break;
    }
  }
  located.rest = [...hoisted, ...argv.slice(at)];
  const hasCommand = located.node !== undefined && !isGroup(located.node);
  const wantsHelp = located.rest.includes('--help') || located.rest.includes('-h');
  // The parser of a command checks its own line.
  if (!hasCommand && !wantsHelp && located.unknown === undefined)
    requireGlobalOptionValues(located.rest, globalOptions, ['svc', ...located.path].join(' '));
  return located;
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
