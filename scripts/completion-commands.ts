// Renders src/completion/commands.tsv from the command tree: what Tab completion needs to know about each command.
// src/completion/complete.ts describes the format.
import {
  type Argument,
  type CandidateKind,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
  verbAliases,
} from '../src/cli/command.ts';
import { globalOptions } from '../src/cli/globals.ts';
import { helpTopics } from '../src/cli/help/topics.ts';
import { spell, spellArgument } from '../src/cli/spelling.ts';
import { allChannelProviders, allProviders } from '../src/service/providers.ts';

/** Missing in the global options, because the parser rewrites it. */
const noColor = ['--no-color', 'Shorthand for --color never'];

export async function completionCommands(tree: CommandTree): Promise<string> {
  const nouns = Object.entries(tree);
  const topics = [...Object.keys(helpTopics), ...Object.keys(tree)].join('|');
  const loaded = await Promise.all(
    nouns.map(async ([name, { alias, summary, load }]) =>
      nodeLines(`svc ${alias ? `${name}|${alias}` : name}`, summary, await load()),
    ),
  );
  return [
    ['*', '', '', '--help', 'Show help', ...optionFields(globalOptions), ...noColor],
    ['svc', '', '', '--version', 'Show the version'],
    ...loaded.flat(),
    ['svc help', 'Show help for a command or topic', topics],
  ]
    .map((fields) => `${fields.join('\t')}\n`)
    .join('');
}

function nodeLines(path: string, summary: string, node: Group | Command): string[][] {
  if (!isGroup(node)) {
    const sources = Object.values(node.arguments ?? {}).map(
      (argument) => `${valueSource(argument)}${spellArgument(argument).isRepeated ? '*' : ''}`,
    );
    return [[path, summary, sources.join(' '), ...optionFields(node.options ?? {})]];
  }
  const shown = Object.entries(node.commands).filter(
    ([, child]) => isGroup(child) || !child.hidden,
  );
  return [
    [path, summary, ''],
    ...shown.flatMap(([name, child]) =>
      nodeLines(`${path} ${[name, ...verbsFor(name, node)].join('|')}`, child.summary, child),
    ),
  ];
}

const verbsFor = (name: string, { commands }: Group) =>
  Object.keys(verbAliases).filter(
    (alias) => verbAliases[alias] === name && !Object.hasOwn(commands, alias),
  );

const optionFields = (options: Record<string, Option>): string[] =>
  Object.values(options)
    .filter(({ hidden }) => !hidden)
    .flatMap((option) => {
      const names = spellings(option).join(',');
      const source = spell(option).value !== undefined ? ` ${valueSource(option)}` : '';
      return [`${names}${source}`, option.summary];
    });

/** `--debug[=body]` has the spellings `--debug` and `--debug=body`. */
const spellings = (option: Option): string[] => {
  const { long, names, modes } = spell(option);
  return [...names, ...modes.map((mode) => `${long}=${mode}`)];
};

const valueSource = ({ choices, complete }: Pick<Argument, 'choices' | 'complete'>): string => {
  const known = choices ?? (complete && providers[complete]);
  return known ? known.filter(Boolean).join('|') : `@${complete ?? 'text'}`;
};

const providers: Partial<Record<CandidateKind, readonly string[]>> = {
  providers: allProviders,
  credentialProviders: allChannelProviders,
};
