// Help as text, made from the command objects: for a command, a group and the whole tool.
import {
  type Argument,
  type Command,
  type Group,
  isGroup,
  type LazyGroup,
  type Option,
} from './command.ts';
import { globalOptions } from './globals.ts';

const width = 80;

/** `svc topics list --help`. */
export function commandHelp(path: readonly string[], command: Command): string {
  const args = Object.values(command.arguments ?? {});
  const own = Object.entries(command.options ?? {}).filter(([, option]) => !option.hidden);
  const usage = ['svc', ...path, ...args.map(({ syntax }) => syntax), '[options]'].join(' ');
  const groups = groupOptions(own);
  return join([
    `${command.summary}.`,
    `Usage: ${usage}`,
    command.details ?? '',
    section(
      'Arguments',
      args.map((argument) => [argument.syntax, argumentText(argument)]),
    ),
    ...[...groups].map(([title, options]) => section(title, options.map(optionRow))),
    section('Global options', [['-h, --help', 'Show this help'], ...globalRows()]),
    section(
      'Examples',
      [],
      command.examples.flatMap(({ line, means }) => [`  # ${means}`, `  ${line}`]),
    ),
  ]);
}

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
      ...globalRows(),
    ]),
    section(
      'First steps',
      [],
      [
        '  svc demo                                # a tour that needs no account',
        '  svc sandbox start                       # the service on this machine',
        '  svc login --base-url https://…          # or a real one',
        '  svc subscribers bulk-import users.csv',
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

function groupOptions(options: readonly (readonly [string, Option])[]) {
  const groups = new Map<string, Option[]>();
  for (const [, option] of options) {
    const title = option.group ?? 'Options';
    groups.set(title, [...(groups.get(title) ?? []), option]);
  }
  return groups;
}

const globalRows = (): [string, string][] =>
  Object.values(globalOptions as Record<string, Option>)
    .filter(({ hidden }) => !hidden)
    .map(optionRow);

function optionRow({
  flags,
  summary,
  choices,
  repeat,
  defaultText,
  variable,
}: Option): [string, string] {
  const notes = [
    ...(choices ? [choices.filter(Boolean).join(', ')] : []),
    ...(repeat ? ['may be repeated'] : []),
    ...(defaultText ? [`default ${defaultText}`] : []),
    ...(variable ? [variable] : []),
  ];
  return [
    flags.startsWith('--') ? `    ${flags}` : flags,
    notes.length > 0 ? `${summary} (${notes.join('; ')})` : summary,
  ];
}

const argumentText = ({ summary, choices }: Argument) =>
  choices ? `${summary} (${choices.join(', ')})` : summary;

function section(
  title: string,
  rows: readonly (readonly [string, string])[],
  lines: readonly string[] = [],
): string {
  if (rows.length === 0 && lines.length === 0) return '';
  const label = Math.min(30, Math.max(0, ...rows.map(([name]) => name.length)));
  return [
    `${title}:`,
    ...rows.flatMap(([name, summary]) => twoColumns(name, summary, label)),
    ...lines,
  ].join('\n');
}

/** The name and its text side by side, the text wrapped within 80 columns. */
function twoColumns(name: string, summary: string, label: number): string[] {
  const indent = ' '.repeat(label + 4);
  const [first = '', ...others] = wrap(summary, width - indent.length);
  const head =
    name.length > label
      ? [`  ${name}`, `${indent}${first}`]
      : [`  ${name.padEnd(label)}  ${first}`];
  return [...head, ...others.map((line) => `${indent}${line}`)];
}

function wrap(text: string, room: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

const join = (blocks: readonly string[]) =>
  `${blocks
    .filter((block) => block !== '')
    .map((block) => (block.includes('\n') ? block : wrap(block, width).join('\n')))
    .join('\n\n')}\n`;
