// Help as text, made from the command objects: for a command, a group and the whole tool.

import { type ExitReason, exitCodes } from '../../core/errors.ts';
import {
  type Argument,
  type Command,
  type Group,
  isGroup,
  type LazyGroup,
  type Option,
} from '../command.ts';
import { join, note, type Row, section } from './layout.ts';
import { helpTopics } from './topics.ts';

/** `svc topics list --help`. */
export function commandHelp(path: readonly string[], command: Command): string {
  const args = Object.values(command.arguments ?? {});
  const own = Object.values(command.options ?? {});
  const usage = ['svc', ...path, ...args.map(({ syntax }) => syntax), '[options]'].join(' ');
  return join([
    `${command.summary}.`,
    `Usage: ${usage}`,
    ...(command.details ?? '').split('\n\n'),
    section(
      'Arguments',
      args.map((argument) => [argument.syntax, argumentText(argument)]),
    ),
    ...optionGroups(own),
    section('Options of every command', [
      ['-h, --help', 'Show this help'],
      ['-p, --json, --dry-run, --yes …', '`svc help options` lists them all'],
    ]),
    note('Output', command.output),
    note('Exit codes', exitCodesText(command)),
    section(
      'Examples',
      [],
      command.examples.flatMap(({ line, description }) => [
        `  # ${description}`,
        `  ${exampleLine(command, line)}`,
      ]),
    ),
  ]);
}

/**
 * An example as it is shown. A line that changes something names the profile of a sandbox, so that a reader who
 * copies it never changes a real service. A run is resumed in its own environment, whichever profile is current.
 */
export const exampleLine = ({ writes, defaultProfile }: Command, line: string): string =>
  writes === false || defaultProfile ? line : line.replaceAll(/(^|\| )svc /g, '$1svc -p sandbox ');

/** `svc topics --help`. */
export function groupHelp(path: readonly string[], group: Group): string {
  return join([
    `${group.summary}.`,
    `Usage: ${['svc', ...path].join(' ')} <command> [options]`,
    group.details ?? '',
    section('Commands', commandRows(group)),
    `\`${['svc', ...path].join(' ')} <command> --help\` says more of each.`,
  ]);
}

/** `svc --help`, from the summaries alone. */
export function rootHelp(tree: Record<string, LazyGroup>): string {
  const sections = new Map<string, [string, string][]>();
  for (const [name, { section: title, summary }] of Object.entries(tree)) {
    sections.set(title, [...(sections.get(title) ?? []), [name, summary]]);
  }
  return join([
    'Administer a notification delivery service, or its sandbox on this machine.',
    'Usage: svc <noun> <verb> [arguments] [options]',
    ...[...sections].map(([title, rows]) => section(title, rows)),
    section('Options', [
      ['-h, --help', 'Show help; after a command, its own'],
      ['--version', 'Show the version'],
      ['-p, --profile <name>', 'Use this profile'],
      ['-o, --output <format>', 'table, json, ndjson, csv, tsv, yaml or ids; --json is -o json'],
      ['--dry-run', 'Show what would be sent, and send no write'],
      ['-y, --yes', 'Answer yes to questions'],
    ]),
    section(
      'More',
      Object.entries(helpTopics).map(([name, { summary }]) => [`svc help ${name}`, summary]),
    ),
    section(
      'First steps',
      [],
      [
        '  svc demo                                # a tour that needs no account',
        '  svc sandbox start                       # the service on this machine',
        '  svc login --base-url https://…          # or a real one',
        '  svc subscribers bulk-import users.csv -p sandbox',
      ],
    ),
  ]);
}

function commandRows(group: Group, prefix = ''): [string, string][] {
  return Object.entries(group.commands).flatMap(([name, node]) => {
    if (isGroup(node)) return commandRows(node, `${prefix}${name} `);
    if (node.hidden) return [];
    const args = Object.values(node.arguments ?? {}).map(({ syntax }) => syntax);
    return [[[`${prefix}${name}`, ...args].join(' '), node.summary]];
  });
}

/** Codes and names of the endings, in one sentence. */
export const exitCodesText = (command: Command) =>
  `${exitReasonsOf(command)
    .map((name) => `${exitCodes[name].code} ${name}`)
    .join(', ')}. \`svc help exit-codes\` says what each means.`;

/** The ways in which a command can end, by what it does; `ends` adds those of its own. */
export function exitReasonsOf({
  operations = [],
  writes,
  arguments: args = {},
  ...more
}: Command): ExitReason[] {
  const reaches = operations.length > 0 || writes !== undefined;
  const names = Object.values(args).some(({ complete }) => complete && complete !== 'files');
  const found = new Set<ExitReason>([
    'ok',
    'usage',
    ...(reaches ? (['auth', 'refused', 'unavailable'] as const) : []),
    ...(reaches && names ? (['notFound'] as const) : []),
    ...(more.localOnly ? (['local'] as const) : []),
    ...(more.exitCodes ?? []),
  ]);
  return (Object.keys(exitCodes) as ExitReason[]).filter((name) => found.has(name));
}

/** A section for each group of options, in the order in which the groups come up. */
export function optionGroups(options: readonly Option[]): string[] {
  const groups = new Map<string, Option[]>();
  for (const option of options.filter(({ hidden }) => !hidden)) {
    const title = option.group ?? 'Options';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups].map(([title, members]) => section(title, members.map(optionRow)));
}

/** What an option does, with its choices, default and variable. */
export function optionText({ summary, choices, repeat, defaultText, variable }: Option): string {
  const notes = [
    ...(choices ? [choices.filter(Boolean).join(', ')] : []),
    ...(repeat ? ['may be repeated'] : []),
    ...(defaultText ? [`default ${defaultText}`] : []),
    ...(variable ? [variable] : []),
  ];
  return notes.length > 0 ? `${summary} (${notes.join('; ')})` : summary;
}

const optionRow = (option: Option): Row => {
  const { flags } = option;
  return [flags.startsWith('--') ? `    ${flags}` : flags, optionText(option)];
};

/** What an argument is, with its choices. */
export const argumentText = ({ summary, choices }: Argument) =>
  choices ? `${summary} (${choices.join(', ')})` : summary;
