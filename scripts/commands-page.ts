// Renders docs/commands.md from the command tree: every command with its options and examples.
import {
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
} from '../src/cli/command.ts';
import { globalOptions } from '../src/cli/globals.ts';
import {
  argumentText,
  exampleLine,
  exitCodesText,
  optionText,
  serversText,
} from '../src/cli/help/help.ts';
import { specifiedIds } from '../src/service/operations/index.ts';

interface Entry {
  path: string[];
  command: Command;
}

export async function commandsPage(tree: CommandTree): Promise<string> {
  const nouns = await Promise.all(
    Object.entries(tree).map(async ([name, { summary, load }]) => ({
      name,
      summary,
      entries: listEntries([name], await load()),
    })),
  );
  return `${[
    '<!-- Generated from the commands by `npm run docs`. -->',
    '# Commands',
    'All commands with their options, as in `svc <command> --help --all`. Arguments in `[…]` can be omitted.',
    nouns.map(({ name, entries }) => contents(name, entries)).join('\n'),
    '## Global options',
    'All commands share these options, before or after the command name.',
    table('Option', Object.values(globalOptions as Record<string, Option>)),
    ...nouns.flatMap(({ name, summary, entries }) => [
      ...(entries.length === 1 ? [] : [`## svc ${name}`, `${summary}.`]),
      ...entries.flatMap((entry) => section(entry, entries.length === 1 ? '##' : '###')),
    ]),
  ].join('\n\n')}\n`;
}

function listEntries(path: string[], node: Group | Command): Entry[] {
  if (!isGroup(node)) return node.hidden ? [] : [{ path, command: node }];
  return Object.entries(node.commands).flatMap(([name, child]) =>
    listEntries([...path, name], child),
  );
}

/** One line for each noun, with links to its commands. */
function contents(noun: string, entries: readonly Entry[]): string {
  const links = entries.map(({ path }) => {
    const label = path.length === 1 ? noun : path.slice(1).join(' ');
    return `[${label}](#svc-${path.join('-')})`;
  });
  return `- **${noun}**: ${links.join(' · ')}`;
}

function section({ path, command }: Entry, heading: string): string[] {
  const name = ['svc', ...path].join(' ');
  const args = Object.values(command.arguments ?? {});
  const usage = [name, ...args.map(({ syntax }) => syntax), '[options]'].join(' ');
  const rows = args.map(({ syntax, ...argument }) => ({
    flags: syntax,
    text: argumentText({ syntax, ...argument }),
  }));
  const servers = serversText(command, specifiedIds);
  return [
    `${heading} ${name}`,
    `${command.summary}.`,
    `\`\`\`text\n${usage}\n\`\`\``,
    ...(command.details ?? '').split('\n\n').filter(Boolean).map(plain),
    ...(rows.length > 0 ? [rowsTable('Argument', rows)] : []),
    ...optionTables(Object.values(command.options ?? {})),
    `Output: ${plain(command.output)}`,
    ...(servers === '' ? [] : [plain(servers)]),
    `Exit codes: ${exitCodesText(command, specifiedIds)}`,
    `\`\`\`text\n${Object.entries(command.examples)
      .flatMap(([example, description]) => [`# ${description}`, exampleLine(command, example)])
      .join('\n')}\n\`\`\``,
  ];
}

function optionTables(options: readonly Option[]): string[] {
  const shown = options.filter(({ hidden }) => !hidden);
  const titles = [...new Set(shown.map(({ group = 'Option' }) => group))];
  return titles.map((title) =>
    table(
      title,
      shown.filter(({ group = 'Option' }) => group === title),
    ),
  );
}

const table = (title: string, options: readonly Option[]) =>
  rowsTable(
    title,
    options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({ flags: option.flags, text: optionText(option) })),
  );

const rowsTable = (title: string, rows: readonly { flags: string; text: string }[]) =>
  [
    `| ${title} | |`,
    '|---|---|',
    ...rows.map(({ flags, text }) => `| \`${cell(flags)}\` | ${cell(plain(text))} |`),
  ].join('\n');

const cell = (text: string) => text.replaceAll('|', '\\|');

/** Escapes the characters that Markdown reads as markup, outside of code. */
const plain = (text: string) =>
  text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[*_<>[\]]/g, '\\$&')))
    .join('`');
