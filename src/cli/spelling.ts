// Options and arguments as they are typed. Their syntax, as help shows it, is read only here.
import { usageError } from '../core/errors.ts';
import { kebabCase, shellLine } from '../core/text.ts';
import type { Argument, Option } from './command.ts';

export interface Spelling {
  /** `--profile`. */
  long: string;
  /** All that can be typed: `-p` and `--profile`; `--active` and `--no-active` for `--[no-]active`. */
  names: readonly string[];
  /** The option without its letter: `--profile <name>`. */
  form: string;
  /** The placeholder of its value, `name` for `--profile <name>`; undefined for a switch. */
  value: string | undefined;
  /** The values that a switch accepts after `=`: `body` for `--debug[=body]`. */
  modes: readonly string[];
  /** `--[no-]active`: the switch also has a negative form. */
  isNegatable: boolean;
  /** `--no-header`: the switch turns something off. */
  isNegative: boolean;
}

const cache = new Map<string, Spelling>();

export function spell({ flags }: Pick<Option, 'flags'>): Spelling {
  const spelling = cache.get(flags) ?? readFlags(flags);
  cache.set(flags, spelling);
  return spelling;
}

function readFlags(flags: string): Spelling {
  const [, letter, form = '', no = '', name = '', modes, value] =
    /^(?:(-\w), )?(--(\[no-\])?([\w-]+)(?:\[=([\w|]+)\])?(?: <(.+)>)?)$/.exec(flags) ?? [];
  if (name === '') throw new Error(`The flags ${flags} are not valid.`);
  const long = `--${name}`;
  const negative = no === '' ? [] : [`--no-${name}`];
  return {
    long,
    names: [...(letter === undefined ? [] : [letter]), long, ...negative],
    form,
    value,
    modes: modes?.split('|') ?? [],
    isNegatable: no !== '',
    isNegative: name.startsWith('no-'),
  };
}

/** `subscriber-id` for `[subscriber-id|-...]`; in `<…>` it is required, with `...` it takes any number of values. */
export const spellArgument = ({ syntax }: Pick<Argument, 'syntax'>) => ({
  name: /[\w-]*\w/.exec(syntax)?.[0] ?? syntax,
  isRequired: syntax.startsWith('<'),
  isRepeated: syntax.includes('...'),
});

/** The value of an option that takes one. Throws a usage error that does not name the option. */
export function readValue({ choices, read }: Option, text: string): unknown {
  const chosen = choices ? matchChoice(choices, text) : text;
  return read ? read(chosen) : chosen;
}

/** Returns the matching choice, ignoring case. Throws a usage error if nothing matches. */
export function matchChoice(choices: readonly string[], value: string): string {
  const match = choices.find((choice) => choice.toLowerCase() === value.toLowerCase());
  if (match !== undefined) return match;
  // `no` is close to `on` in spelling, but means the opposite.
  const candidates = /^(no|false|none)$/i.test(value)
    ? choices.filter((choice) => choice !== 'on')
    : choices;
  const allowed = choices.filter(Boolean).join(', ');
  throw usageError(`\`${value}\` is not a valid value. Must be one of: ${allowed}.`, {
    suggestion: { input: value, candidates },
  });
}

// Options as words of a command line that svc suggests.

/** `orderBy` as `--order-by`. */
export const dashed = (name: string) => `--${kebabCase(name)}`;

/** The options except those in `without`, to append to a command line: ` --status ACTIVE --unread`. */
export function optionText(options: object, without: readonly string[] = []): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false || without.includes(name)) return [];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((listed) =>
      listed === true ? [dashed(name)] : [dashed(name), String(listed)],
    );
  });
  return words.length === 0 ? '' : ` ${shellLine(words)}`;
}
