// Builds a commander parser from a command object and parses argv to typed values. The only user of commander.
import { Argument, CommanderError, Command as Parser, Option as ParserOption } from 'commander';
import { SvcError, usageError } from '../core/errors.ts';
import type { Command, Option } from './command.ts';
import { type Globals, globalOptions } from './globals.ts';
import { namesOf, readWords, requireGlobalOptionValues, type Word } from './locate.ts';
import { matchChoice, readValue, spell, spellArgument } from './spelling.ts';

export interface Parsed {
  args: Record<string, unknown>;
  options: Record<string, unknown>;
  globals: Globals;
  /** `--help` was given. */
  help: boolean;
}

/** Parses the words after a command. Throws usage errors that name the option or argument. */
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
  for (const spec of Object.values(command.arguments ?? {})) {
    const { name, isRepeated } = spellArgument(spec);
    const { choices } = spec;
    // Every argument is optional here, because `runCommand` can prompt for a missing one.
    const argument = new Argument(`[${name}${isRepeated ? '...' : ''}]`);
    if (choices) argument.argParser((value) => matchChoice(choices, value));
    parser.addArgument(argument);
  }
  // An option of the command overrides a global option of the same name, such as the color of an environment.
  const specs: Record<string, Option> = { ...globalOptions, ...command.options };
  for (const [attribute, option] of Object.entries(specs)) {
    for (const form of expandNegatable(option)) parser.addOption(parserOption(attribute, form));
  }
  const words = readWords(argv, namesOf(specs));
  requireGlobalOptionValues(words, line);
  try {
    parser.parse(words.flatMap(normalTokens), { from: 'user' });
  } catch (error) {
    if (help) return { args: {}, options: {}, globals: {}, help };
    throw toUsageError(error, line, command, parser, specs);
  }
  return collectValues(command, parser);
}

function collectValues(command: Command, parser: Parser): Parsed {
  const values: Record<string, unknown> = {};
  for (const [attribute, value] of Object.entries(parser.opts() as Record<string, unknown>)) {
    if (parser.getOptionValueSource(attribute) !== 'default') values[attribute] = value;
  }
  const names = Object.keys(command.arguments ?? {});
  const args = Object.fromEntries(names.map((name, index) => [name, parser.processedArgs[index]]));
  const isOwn = (name: string) => Object.hasOwn(command.options ?? {}, name);
  const entries = Object.entries(values);
  const globals: Globals = Object.fromEntries(entries.filter(([name]) => !isOwn(name)));
  const options = Object.fromEntries(entries.filter(([name]) => isOwn(name)));
  return { args, options, globals, help: false };
}

/** Expands `--[no-]check` to `--check` and `--no-check`. */
function expandNegatable(option: Option): Option[] {
  const { isNegatable, names } = spell(option);
  return isNegatable ? names.map((flags) => ({ ...option, flags })) : [option];
}

/** Converts an option to a commander option. Throws if commander would store it under another attribute. */
export function parserOption(attribute: string, option: Option): ParserOption {
  const { names, value, modes } = spell(option);
  const mode = modes.length > 0 ? ` [${modes.join('|')}]` : '';
  const placeholder = value === undefined ? mode : ` <${value}>`;
  const made = new ParserOption(`${names.join(', ')}${placeholder}`, option.summary);
  // `--no-profile` is a switch of its own, not the negation of the global `--profile`.
  if (made.negate && attribute.startsWith('no')) made.negate = false;
  if (made.attributeName() !== attribute) {
    throw new Error(
      `option ${option.flags} would be stored as ${made.attributeName()}, not ${attribute}`,
    );
  }
  if (option.conflicts) made.conflicts([...option.conflicts]);
  if (made.isBoolean() || made.negate) return made;
  return made.argParser((value: string, previous: unknown) => {
    try {
      const parsed = readValue(option, value);
      return option.repeat ? [...(Array.isArray(previous) ? previous : []), parsed].flat() : parsed;
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      throw error.with({ message: `${made.long}: ${error.message.replace(/[^.?!:]$/, '$&.')}` });
    }
  });
}

/**
 * Rewrites `--debug` to `--debug=`, so an optional value is read only after `=` and never from the next word.
 * Rewrites `--no-color` to `--colorless`.
 */
function normalTokens({ tokens, option }: Word): readonly string[] {
  const [token = ''] = tokens;
  if (!option) return tokens;
  const { long, names, modes } = spell(option);
  if (token === option.shorthandFor?.[2]) return [long];
  return modes.length > 0 && names.includes(token) ? [`${token}=`] : tokens;
}

/** Options of other tools that svc does not have. */
const keyRemedy = {
  hint: 'Other users of this machine can see the command line, so a key is not accepted there. --api-key-file reads it from a file, a login prompts for it, or set SVC_API_KEY.',
  next: ['svc login'],
};

const foreignOptions: Record<string, { hint: string; next?: string[] }> = {
  '--key': keyRemedy,
  '--api-key': keyRemedy,
  '--token': keyRemedy,
  '--url': { hint: 'Use --base-url for the address of the service.' },
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
    return usageError(`Unexpected argument \`${word}\`.`, { next, hint: command.unexpected });
  }
  const lacking = /^error: option '(?:-\w, )?(--[^ ']+).*' argument missing$/.exec(error.message);
  if (lacking) return usageError(`\`${lacking[1]}\` needs a value.`, { next });
  const flag = /^error: unknown option '(--[^'=]+)/.exec(error.message)?.[1] ?? '';
  const argument = findArgument(flag, command);
  if (argument !== undefined)
    return usageError(`Unknown option \`${flag}\`.`, {
      hint: `${argument} is an argument: ${line} ${argument}`,
      next,
    });
  const foreign = Object.hasOwn(foreignOptions, flag) ? foreignOptions[flag] : undefined;
  if (foreign)
    return usageError(`Unknown option \`${flag}\`.`, {
      hint: foreign.hint,
      next: [...(foreign.next ?? []), ...next],
    });
  const bare = error.message.replace(/^error: /, '').replace(/\.$/, '');
  const message = `${bare.charAt(0).toUpperCase()}${bare.slice(1)}.`.replaceAll("'", '`');
  const suggestion = flag === '' ? undefined : { input: flag, candidates: visibleFlags(specs) };
  return usageError(message, { next, suggestion });
}

/** The argument with the name of this option: `<topic-key>` for `--key`, `--topic-key` and `--topic`. */
const findArgument = (flag: string, { arguments: declared = {} }: Command): string | undefined =>
  Object.values(declared).find((argument) => {
    const { name } = spellArgument(argument);
    const [first = '', ...rest] = name.split('-');
    return flag !== '' && [first, rest.join('-'), name].includes(flag.slice(2));
  })?.syntax;

/** The flags that help shows: `--profile`, `--active`, `--no-active`, … */
const visibleFlags = (specs: Record<string, Option>) =>
  Object.values(specs)
    .filter(({ hidden }) => !hidden)
    .flatMap((option) => spell(option).names.filter((name) => name.startsWith('--')));
