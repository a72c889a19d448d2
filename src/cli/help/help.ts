// Generates the help text of a command, a group and the whole tool from the command objects.

import { type ExitReason, exitCodes } from '../../core/errors.ts';
import type { OperationId } from '../../service/operations/index.ts';
import {
  type Argument,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
} from '../command.ts';
import { join, note, type Row, section } from './layout.ts';
import { helpTopics } from './topics.ts';

/** `svc topics list --help`. `specified` are the operations that every server has. */
export function commandHelp(
  path: readonly string[],
  command: Command,
  specified: readonly OperationId[],
): string {
  const args = Object.values(command.arguments ?? {});
  const own = Object.values(command.options ?? {});
  const servers = serversText(command, specified);
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
    section('Global options', [
      ['-h, --help', 'Show this help'],
      ['-p, --json, --dry-run, --yes …', 'See `svc help options`'],
    ]),
    note('Output', command.output),
    servers === '' ? '' : note('Servers', servers),
    note('Exit codes', exitCodesText(command, specified)),
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
 * Adds `-p sandbox` to an example that changes data, so copying it never changes a real service. Commands with a
 * default profile, such as `runs resume`, are left as they are.
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
    `Run \`${['svc', ...path].join(' ')} <command> --help\` for details.`,
  ]);
}

/** `svc --help`, generated from the summaries. */
export function rootHelp(tree: CommandTree): string {
  const sections = new Map<string, [string, string][]>();
  for (const [name, { section: title, summary }] of Object.entries(tree)) {
    sections.set(title, [...(sections.get(title) ?? []), [name, summary]]);
  }
  return join([
    'Administer a notification delivery service, or a local emulator of it (the sandbox).',
    'Usage: svc <noun> <verb> [arguments] [options]',
    ...[...sections].map(([title, rows]) => section(title, rows)),
    section('Options', [
      ['-h, --help', 'Show help for svc or for a command'],
      ['--version', 'Show the version'],
      ['-p, --profile <name>', 'Use this profile'],
      ['-o, --output <format>', 'table, json, ndjson, csv, tsv, yaml or ids; --json is -o json'],
      ['--dry-run', 'Print the write requests without sending them'],
      ['-y, --yes', 'Answer yes to all questions'],
    ]),
    section(
      'More',
      Object.entries(helpTopics).map(([name, { summary }]) => [`svc help ${name}`, summary]),
    ),
    section(
      'First steps',
      [],
      [
        '  svc demo                                # take a tour without an account',
        '  svc sandbox start                       # start a local sandbox',
        '  svc login --base-url https://…          # or connect to a real service',
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

const notOffered = ({ operations = [] }: Command, specified: readonly OperationId[]) =>
  operations.filter((id) => !specified.includes(id));

/** Names the operations of a command that a server may lack; empty if there are none. */
export function serversText(command: Command, specified: readonly OperationId[]): string {
  const ids = notOffered(command, specified);
  if (ids.length === 0) return '';
  const names = ids.join(', ').replace(/, (?=[^,]*$)/, ' or ');
  const outcome = command.skipsMissingOperations
    ? 'The command leaves out the parts that need an operation that the server lacks.'
    : 'If the command needs an operation that the server lacks, it exits with 5.';
  return `Not every server offers ${names}. ${outcome} See \`svc schema\`.`;
}

/** The exit codes of a command with their names, in one sentence. */
export const exitCodesText = (command: Command, specified: readonly OperationId[]) =>
  `${exitReasonsOf(command, specified)
    .map((name) => `${exitCodes[name].code} ${name}`)
    .join(', ')}. See \`svc help exit-codes\`.`;

/** The exit reasons of a command, derived from what it does, plus those in its `exitCodes`. */
export function exitReasonsOf(command: Command, specified: readonly OperationId[]): ExitReason[] {
  const { arguments: args = {}, offline } = command;
  const namesResource = Object.values(args).some(
    ({ complete }) => complete && complete !== 'files',
  );
  const reasons = new Set<ExitReason>([
    'ok',
    'usage',
    ...(offline ? [] : (['auth', 'refused', 'unavailable'] as const)),
    ...(!offline && (namesResource || notOffered(command, specified).length > 0)
      ? (['notFound'] as const)
      : []),
    'local',
    ...(command.exitCodes ?? []),
  ]);
  return (Object.keys(exitCodes) as ExitReason[]).filter((name) => reasons.has(name));
}

/** One section for each group of options, in order of appearance. */
export function optionGroups(options: readonly Option[]): string[] {
  const groups = new Map<string, Option[]>();
  for (const option of options.filter(({ hidden }) => !hidden)) {
    const title = option.group ?? 'Options';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return [...groups].map(([title, members]) => section(title, members.map(optionRow)));
}

/** The summary of an option with its default, its variable and the choices that its flags do not show. */
export function optionText(option: Option): string {
  const { summary, flags, choices = [], repeat, defaultText, variable } = option;
  const values = flags.slice(flags.indexOf('--')).split(/[^\w-]+/);
  const hasHiddenChoice = choices.some((choice) => choice !== '' && !values.includes(choice));
  const notes = [
    ...(hasHiddenChoice ? [choices.filter(Boolean).join(', ')] : []),
    ...(repeat ? ['repeatable'] : []),
    ...(defaultText ? [`default ${defaultText}`] : []),
    ...(variable ? [variable] : []),
  ];
  return notes.length > 0 ? `${summary} (${notes.join('; ')})` : summary;
}

const optionRow = (option: Option): Row => {
  const { flags } = option;
  return [flags.startsWith('--') ? `    ${flags}` : flags, optionText(option)];
};

/** The summary of an argument with its choices. */
export const argumentText = ({ summary, choices }: Argument) =>
  choices ? `${summary} (${choices.join(', ')})` : summary;
