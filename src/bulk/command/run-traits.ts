// How a run treats its options, by their declarations.
import type { Options } from '../../cli/command.ts';
import type { RunTrait } from '../../cli/option.ts';

/** The attributes of the options with this trait. */
export const optionsWith = (trait: RunTrait, options: Options): ReadonlySet<string> =>
  new Set(Object.keys(options).filter((name) => options[name]?.run?.includes(trait)));
