// An option as it is typed. Its `flags`, as help shows them, are read only here.

export interface Spelling {
  /** `--profile`. */
  long: string;
  /** All that can be typed: `-p` and `--profile`; `--active` and `--no-active` for `--[no-]active`. */
  names: readonly string[];
  /** The placeholder of its value, `name` for `--profile <name>`; undefined for a switch. */
  value: string | undefined;
  /** The values that a switch accepts after `=`: `body` for `--debug[=body]`. */
  modes: readonly string[];
  /** `--[no-]active`: the switch also has a negative form. */
  isNegatable: boolean;
  /** `--no-header`: the switch turns something off. */
  isNegative: boolean;
}

const known = new Map<string, Spelling>();

export function spell({ flags }: { flags: string }): Spelling {
  const spelling = known.get(flags) ?? read(flags);
  known.set(flags, spelling);
  return spelling;
}

function read(flags: string): Spelling {
  const [, letter, no = '', name = '', modes, value] =
    /^(?:(-\w), )?--(\[no-\])?([\w-]+)(?:\[=([\w|]+)\])?(?: <(.+)>)?$/.exec(flags) ?? [];
  if (name === '') throw new Error(`The flags ${flags} are not valid.`);
  const long = `--${name}`;
  const negative = no === '' ? [] : [`--no-${name}`];
  return {
    long,
    names: [...(letter === undefined ? [] : [letter]), long, ...negative],
    value,
    modes: modes?.split('|') ?? [],
    isNegatable: no !== '',
    isNegative: name.startsWith('no-'),
  };
}
