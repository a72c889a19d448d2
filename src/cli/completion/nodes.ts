// The command tree in the form that completion scripts need: the names, options and arguments of each command.
import {
  type Argument,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
  verbAliases,
} from '../command.ts';
import { globalOptions } from '../globals.ts';
import { helpTopics } from '../help/topics.ts';

/**
 * The source of completion values: `a|b` for fixed choices, `@topics` for the cache, `@files` for files, empty
 * for free text.
 */
export type ValueSource = string;

export interface CompletionOption {
  /** `--order` or `-o`; one entry for each spelling. `--debug:=body` represents the whole word `--debug=body`. */
  name: string;
  summary: string;
  /** Undefined for a switch. */
  source: ValueSource | undefined;
}

/** `--order=asc|desc<TAB>summary`. */
export const encodedOption = ({ name, source, summary }: CompletionOption) =>
  `${source === undefined ? name : `${name}=${source}`}\t${summary}`;

export interface CompletionNode {
  /** `topics list`; empty for svc itself. */
  path: string;
  /** Aliases of the path, such as `topic ls`. */
  aliases: string[];
  children: { name: string; summary: string }[];
  options: CompletionOption[];
  /** The value source of each argument. A trailing `*` marks an argument that takes any number of values. */
  args: ValueSource[];
}

export const globalNames = (): CompletionOption[] => [
  { name: '--help', summary: 'Show help', source: undefined },
  ...toOptions(globalOptions as Record<string, Option>),
  { name: '--no-color', summary: 'Shorthand for --color never', source: undefined },
];

/** All nodes of the tree, starting with svc itself. */
export async function completionNodes(tree: CommandTree): Promise<CompletionNode[]> {
  const nouns = Object.entries(tree);
  const root: CompletionNode = {
    path: '',
    aliases: [],
    children: [
      ...nouns.map(([name, { summary }]) => ({ name, summary })),
      { name: 'help', summary: 'Show help for a command or topic' },
    ],
    options: [{ name: '--version', summary: 'Show the version', source: undefined }],
    args: [],
  };
  const loaded = await Promise.all(
    nouns.map(async ([name, lazy]) =>
      toNodes([name], lazy.alias ? [lazy.alias] : [], await lazy.load()),
    ),
  );
  const help: CompletionNode = {
    path: 'help',
    aliases: [],
    children: [],
    options: [],
    args: [[...Object.keys(helpTopics), ...Object.keys(tree)].join('|')],
  };
  return [root, ...loaded.flat(), help];
}

function toNodes(
  path: readonly string[],
  aliases: readonly string[],
  node: Group | Command,
): CompletionNode[] {
  const common = { path: path.join(' '), aliases: [...aliases] };
  if (!isGroup(node)) {
    const options = toOptions(node.options ?? {});
    return [{ ...common, children: [], options, args: toValueSources(node.arguments ?? {}) }];
  }
  const shown = Object.entries(node.commands).filter(
    ([, child]) => isGroup(child) || !child.hidden,
  );
  const children = shown.map(([name, { summary }]) => ({ name, summary }));
  return [
    { ...common, children, options: [], args: [] },
    ...shown.flatMap(([name, child]) => {
      const spellings = [name, ...listAliases(name, node)];
      const paths = [path.join(' '), ...aliases].flatMap((parent) =>
        spellings.map((spelling) => `${parent} ${spelling}`),
      );
      return toNodes([...path, name], paths.slice(1), child);
    }),
  ];
}

const listAliases = (verb: string, { commands }: Group) =>
  Object.entries(verbAliases).flatMap(([alias, name]) =>
    name === verb && !Object.hasOwn(commands, alias) ? [alias] : [],
  );

function toOptions(options: Record<string, Option>): CompletionOption[] {
  return Object.values(options)
    .filter(({ hidden }) => !hidden)
    .flatMap((option) =>
      spellings(option.flags).map((name) => ({
        name,
        summary: option.summary,
        source: option.flags.includes('<') ? toValueSource(option) : undefined,
      })),
    );
}

/** `--[no-]check` expands to two spellings, `--debug[=body]` to `--debug` and `--debug:=body`. */
function spellings(flags: string): string[] {
  return flags.split(', ').flatMap((flag) => {
    const [word = ''] = flag.split(' ');
    if (word.includes('[no-]')) return [word.replace('[no-]', ''), word.replace('[no-]', 'no-')];
    const optional = /^(.+)\[=([\w|]+)\]$/.exec(word);
    if (!optional?.[1] || !optional[2]) return [word];
    return [optional[1], ...optional[2].split('|').map((value) => `${optional[1]}:=${value}`)];
  });
}

const toValueSources = (args: Record<string, Argument>): ValueSource[] =>
  Object.values(args).map(
    (argument) => `${toValueSource(argument)}${argument.syntax.includes('...') ? '*' : ''}`,
  );

const toValueSource = ({ choices, complete }: Pick<Option, 'choices' | 'complete'>): ValueSource =>
  choices ? choices.filter(Boolean).join('|') : complete ? `@${complete}` : '';
