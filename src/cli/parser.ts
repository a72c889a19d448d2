// One command object → a commander parser, and argv → typed values. The only file that knows commander.
import { Argument, CommanderError, Command as Parser, Option as ParserOption } from 'commander';
import { SvcError, usageError } from '../core/errors.ts';
import type { Command, Option } from './command.ts';
import { type Globals, globalOptions } from './globals.ts';

export interface Parsed {
  args: Record<string, unknown>;
  options: Record<string, unknown>;
  globals: Globals;
  /** Help was asked for instead of the command. */
  help: boolean;
}

/** Reads what was typed for one command. Throws usage errors that name the option or argument. */
export function parse(path: readonly string[], command: Command, argv: readonly string[]): Parsed {
  const line = `svc ${path.join(' ')}`;
  let help = false;
  const parser = new Parser(line)
    .exitOverride()
    .configureOutput({ writeOut: () => {}, writeErr: () => {} })
    .helpOption('-h, --help')
    .showSuggestionAfterError(false)
    .allowExcessArguments(false);
  parser.helpInformation = () => {
    help = true;
    return '';
  };
  for (const { syntax, summary, choices } of Object.values(command.arguments ?? {})) {
    // A missing one is no error yet: a person may be asked for it.
    const argument = new Argument(syntax.replace(/^<(.+)>$/, '[$1]'), summary);
    if (choices) argument.argParser((value) => matchChoice(choices, value));
    parser.addArgument(argument);
  }
  // A command's own option of a global name, such as the colour of an environment, comes first.
  const specs: Record<string, Option> = { ...globalOptions, ...command.options };
  for (const [attribute, option] of Object.entries(specs)) {
    for (const one of expandNegatable(option)) parser.addOption(parserOption(attribute, one));
  }
  try {
    parser.parse(normalizeArgv(argv, specs), { from: 'user' });
  } catch (error) {
    if (help) return { args: {}, options: {}, globals: {}, help };
    throw toUsageError(error, line, command, parser, specs);
  }
  return collectValues(command, parser);
}

function collectValues(command: Command, parser: Parser): Parsed {
  const given: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(parser.opts() as Record<string, unknown>)) {
    if (parser.getOptionValueSource(attribute) !== 'default') given[attribute] = value;
  }
  const names = Object.keys(command.arguments ?? {});
  const args = Object.fromEntries(names.map((name, index) => [name, parser.processedArgs[index]]));
  const isOwn = (name: string) => Object.hasOwn(command.options ?? {}, name);
  const entries = Object.entries(given);
  const globals: Globals = Object.fromEntries(entries.filter(([name]) => !isOwn(name)));
  if (globals.colorless) globals.color = 'never';
  const options = Object.fromEntries(entries.filter(([name]) => isOwn(name)));
  return { args, options, globals, help: false };
}

/** `--[no-]check` stands for `--check` and `--no-check`. */
const expandNegatable = (option: Option): Option[] =>
  option.flags.includes('[no-]')
    ? ['', 'no-'].map((no) => ({ ...option, flags: option.flags.replace('[no-]', no) }))
    : [option];

/** The commander option for ours. Its attribute must be the one we know it by. */
export function parserOption(attribute: string, option: Option): ParserOption {
  const made = new ParserOption(option.flags.replace(/\[=([\w|]+)\]/, ' [$1]'), option.summary);
  // `--no-profile` beside the global `--profile`: a switch of its own, not the opposite of that one.
  if (made.negate && attribute.startsWith('no')) made.negate = false;
  if (made.attributeName() !== attribute) {
    throw new Error(
      `option ${option.flags} would be stored as ${made.attributeName()}, not ${attribute}`,
    );
  }
  if (option.conflicts) made.conflicts([...option.conflicts]);
  const { read, choices } = option;
  if (made.isBoolean() || made.negate) return made;
  return made.argParser((value: string, previous: unknown) => {
    try {
      const chosen = choices ? matchChoice(choices, value) : value;
      const one = read ? read(chosen) : chosen;
      return option.repeat ? [...(Array.isArray(previous) ? previous : []), one].flat() : one;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      throw new SvcError(error.exitReason, `${made.long}: ${error.message}`, error.details);
    }
  });
}

/** The choice that is meant, without regard to case. */
function matchChoice(choices: readonly string[], typed: string): string {
  const found = choices.find((known) => known.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  const among = /^(no|false|none)$/i.test(typed)
    ? choices.filter((known) => known !== 'on')
    : choices;
  throw usageError(`\`${typed}\` is none of ${choices.filter(Boolean).join(', ')}.`, {
    suggestion: { input: typed, candidates: among },
  });
}

/**
 * `--debug` alone becomes `--debug=`: an optional value is taken only after `=`, never from the next word.
 * `--no-color` gets the name of an option of its own.
 */
function normalizeArgv(argv: readonly string[], specs: Record<string, Option>): string[] {
  const names = (marker: string) =>
    Object.values(specs)
      .filter(({ flags }) => flags.includes(marker))
      .flatMap(({ flags }) => flags.match(/(?<![\w-])--?[a-z][a-z-]*/g) ?? []);
  const bare = new Set(names('[='));
  const taking = new Set(names(' <'));
  const end = argv.indexOf('--');
  return argv.map((token, index) => {
    const isValue = taking.has(argv[index - 1] ?? '');
    if (isValue || (end >= 0 && index >= end)) return token;
    if (token === '--no-color') return '--colorless';
    return bare.has(token) ? `${token}=` : token;
  });
}

/** What to do instead, for options of other tools that people try here. */
const foreignOptionHints: Record<string, string> = {
  ...Object.fromEntries(
    ['--key', '--api-key', '--token'].map((flag) => [
      flag,
      'A key never stands on the command line: `svc login` asks for it, --api-key-file reads it from a file, or set SVC_API_KEY.',
    ]),
  ),
  '--url': 'The address of the service is given with --base-url.',
};

function toUsageError(
  error: unknown,
  line: string,
  command: Command,
  { args }: Parser,
  specs: Record<string, Option>,
): unknown {
  if (!(error instanceof CommanderError)) return error;
  const next = [`${line} --help`];
  if (error.code === 'commander.excessArguments') {
    const word = args[Object.keys(command.arguments ?? {}).length];
    const hint = command.unexpected;
    return usageError(`Unexpected argument \`${word}\`.`, { next, ...(hint ? { hint } : {}) });
  }
  const lacking = /^error: option '(?:-\w, )?(--[^ ']+).*' argument missing$/.exec(error.message);
  if (lacking) return usageError(`\`${lacking[1]}\` needs a value.`, { next });
  const flag = /^error: unknown option '(--[^'=]+)/.exec(error.message)?.[1] ?? '';
  if (Object.hasOwn(foreignOptionHints, flag))
    return usageError(`Unknown option \`${flag}\`.`, {
      next,
      hint: foreignOptionHints[flag] ?? '',
    });
  const bare = error.message.replace(/^error: /, '').replace(/\.$/, '');
  const message = `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`.replaceAll("'", '`');
  const details =
    flag === '' ? {} : { suggestion: { input: flag, candidates: visibleFlags(specs) } };
  return usageError(message, { next, ...details });
}

/** `--profile`, `--active`, `--no-active`, …: what help shows. */
const visibleFlags = (specs: Record<string, Option>) =>
  Object.values(specs)
    .filter(({ hidden }) => !hidden)
    .flatMap(expandNegatable)
    .flatMap(({ flags }) => flags.match(/--[a-z][a-z-]*/g) ?? []);
