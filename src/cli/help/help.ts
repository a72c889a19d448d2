// Generates the help text of a command, a group and the whole tool from the command objects.

import { type ExitReason, exitCodes } from '../../core/errors.ts';
import { groupBy } from '../../core/objects.ts';
import { wrapWords } from '../../core/text.ts';
import type { OperationId } from '../../service/operations/index.ts';
import {
  type Argument,
  type Command,
  type CommandTree,
  type Group,
  isGroup,
  type Option,
} from '../command.ts';
import { spell } from '../spelling.ts';
import { helpTopics } from './topics.ts';

/** The lines of a terminal that is not maximized, without the prompt. */
const maxLines = 40;

/**
 * `svc topics list --help`: at most 40 lines. A longer text is shortened to the usual options; `--all` prints it whole.
 * `specified` are the operations that every server has.
 */
export function commandHelp(
  path: readonly string[],
  command: Command,
  specified: readonly OperationId[],
  all = false,
): string {
  const whole = wholeHelp(path, command, specified);
  return all || countLines(whole) <= maxLines ? whole : shortHelp(path, command, specified);
}

const countLines = (text: string) => text.split('\n').length - 1;

function wholeHelp(
  path: readonly string[],
  command: Command,
  specified: readonly OperationId[],
): string {
  const servers = serversText(command, specified);
  return join([
    ...introduction(path, command, (command.details ?? '').split('\n\n')),
    ...optionGroups(Object.values(command.options ?? {})),
    section('Global options', globalRows),
    note('Output', command.output),
    servers === '' ? '' : note('Servers', servers),
    note('Exit codes', exitCodesText(command, specified)),
    examplesSection(command, Object.entries(command.examples)),
  ]);
}

/**
 * The first sentences, some examples, the options in them, and as many other options as have room. `rare` ones are last,
 * and the output and the exit codes are shown if there is room for them.
 */
function shortHelp(
  path: readonly string[],
  command: Command,
  specified: readonly OperationId[],
): string {
  const details = firstSentences(command.details ?? '');
  const examples = Object.entries(command.examples).slice(0, 3);
  const options = Object.values(command.options ?? {}).filter(({ hidden }) => !hidden);
  const words = Object.keys(command.examples).flatMap((line) => line.split(/[\s=]/));
  const rank = (option: Option) => (isIn(option, words) ? 0 : option.rare ? 2 : 1);
  const render = (visible: ReadonlySet<Option>, more: readonly string[]) =>
    join([
      ...introduction(path, command, [details]),
      section('Options', [
        ...options.filter((option) => visible.has(option)).map(optionRow),
        ...globalRows,
      ]),
      ...more,
      examplesSection(command, examples),
      `Everything about this command: \`svc ${path.join(' ')} --help --all\``,
    ]);
  const visible = new Set<Option>();
  for (const option of options.toSorted((a, b) => rank(a) - rank(b))) {
    if (countLines(render(new Set([...visible, option]), [])) <= maxLines) visible.add(option);
  }
  const more: string[] = [];
  for (const text of [
    note('Output', command.output),
    note('Exit codes', exitCodesText(command, specified)),
  ]) {
    if (countLines(render(visible, [...more, text])) <= maxLines) more.push(text);
  }
  return render(visible, more);
}

/** The sentences of the first paragraph that fit in three lines. */
function firstSentences(details: string): string {
  const [paragraph = ''] = details.split('\n\n');
  let text = '';
  for (const sentence of paragraph.split(/(?<=\.) (?=[A-Z`-])/)) {
    const longer = text === '' ? sentence : `${text} ${sentence}`;
    if (countLines(join([longer])) > 3 && text !== '') break;
    text = longer;
  }
  return text;
}

/** Whether one of the names of an option is one of the words. */
const isIn = (option: Option, words: readonly string[]) =>
  spell(option).names.some((name) => words.includes(name));

function introduction(
  path: readonly string[],
  { summary, arguments: args = {} }: Command,
  details: readonly string[],
): string[] {
  const all = Object.values(args);
  return [
    `${summary}.`,
    `Usage: ${['svc', ...path, ...all.map(({ syntax }) => syntax), '[options]'].join(' ')}`,
    ...details,
    section(
      'Arguments',
      all.map((argument) => [argument.syntax, argumentText(argument)]),
    ),
  ];
}

const globalRows: Row[] = [
  ['-h, --help', 'Show this help'],
  ['-p, --json, --dry-run, --yes …', 'See `svc help options`'],
];

const examplesSection = (command: Command, examples: readonly [line: string, text: string][]) =>
  section(
    'Examples',
    [],
    examples.flatMap(([example, description]) => [
      ...wrapWords(description, width - 4).map((line) => `  # ${line}`),
      `  ${exampleLine(command, example)}`,
    ]),
  );

/**
 * Adds `-p sandbox` to an example that changes data, so copying it never changes a real service. Commands with a
 * default profile, such as `runs resume`, are left as they are.
 */
export const exampleLine = (
  { writes, defaultProfile, readExamples }: Command,
  line: string,
): string =>
  writes === false || defaultProfile || readExamples?.includes(line)
    ? line
    : line.replaceAll(/(^|\| )svc /g, '$1svc -p sandbox ');

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
export function rootHelp(tree: CommandTree, columns?: number): string {
  fitHelp(columns);
  const sections = groupBy(Object.entries(tree), ([, noun]) => noun.section);
  return join([
    [
      ...wrapWords(
        'Administer a Novu-compatible notification service, or a local emulator of it.',
        width,
      ),
      'Usage: svc <noun> <verb> [arguments] [options]',
      ...[
        'First steps: svc sandbox start               # a local emulator, no account',
        '             svc login --base-url https://…  # or your service',
      ].map((line) => (width < maxWidth ? line.replace(/ *#.*/, '') : line)),
    ].join('\n'),
    ...[...sections].map(([title, nouns]) =>
      section(
        title,
        nouns.map(([name, { summary }]) => [name, summary]),
      ),
    ),
    note(
      'Help: `svc <command> --help`, or `svc help` with a topic',
      Object.keys(helpTopics).join(', '),
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
  `${listExitReasons(command, specified)
    .map((name) => `${exitCodes[name].code} ${name}`)
    .join(', ')}. See \`svc help exit-codes\`.`;

/** The exit reasons of a command, derived from what it does, plus those in its `exitCodes`. */
function listExitReasons(command: Command, specified: readonly OperationId[]): ExitReason[] {
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
  const visible = options.filter(({ hidden }) => !hidden);
  const groups = groupBy(visible, ({ group = 'Options' }) => group);
  return [...groups].map(([title, members]) => section(title, members.map(optionRow)));
}

/** The summary of an option with its default, its variable and the choices that its flags do not show. */
export function optionText(option: Option): string {
  const { summary, choices = [], repeat, defaultText, variable } = option;
  const { value = '', modes } = spell(option);
  const values = [...modes, ...value.split('|')];
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
  const hasLetter = spell(option).form !== flags;
  return [hasLetter ? flags : `    ${flags}`, optionText(option)];
};

/** The summary of an argument with its choices. */
export const argumentText = ({ summary, choices }: Argument) =>
  choices ? `${summary} (${choices.join(', ')})` : summary;

// Lays out help as plain text: paragraphs, sections and two columns, at most 80 characters wide.

const maxWidth = 80;
let width = maxWidth;

/** Sets the width of the texts from now on: that of a terminal from 50 to 80 columns. */
export const fitHelp = (columns = maxWidth) => {
  width = Math.min(maxWidth, Math.max(50, columns));
};

export type Row = readonly [name: string, text: string];

/** Joins blocks with empty lines. A block of one line is wrapped. */
export const join = (blocks: readonly string[]) =>
  `${blocks
    .filter((block) => block !== '')
    .map((block) => (block.includes('\n') ? block : wrapWords(block, width).join('\n')))
    .join('\n\n')}\n`;

/** A heading with rows in two columns, with preformatted lines, or both. Empty if there are neither. */
export function section(
  title: string,
  rows: readonly Row[],
  lines: readonly string[] = [],
): string {
  if (rows.length === 0 && lines.length === 0) return '';
  const label = Math.min(
    Math.floor((width * 3) / 8),
    Math.max(0, ...rows.map(([name]) => name.length)),
  );
  return [
    ...wrapWords(`${title}:`, width),
    ...rows.flatMap(([name, summary]) => twoColumns(name, summary, label)),
    ...lines,
  ].join('\n');
}

/** A heading with a paragraph. */
export const note = (title: string, text: string) =>
  section(
    title,
    [],
    wrapWords(text, width - 2).map((line) => `  ${line}`),
  );

/** The name and its text side by side, with the text wrapped. */
function twoColumns(name: string, summary: string, label: number): string[] {
  const indent = ' '.repeat(label + 4);
  const [first = '', ...others] = wrapWords(summary, width - indent.length);
  const head =
    name.length > label
      ? [`  ${name}`, `${indent}${first}`]
      : [`  ${name.padEnd(label)}  ${first}`];
  return [...head, ...others.map((line) => `${indent}${line}`)];
}
