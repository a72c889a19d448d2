// Reads the text of an option or setting as its value.
import { usageError } from '../core/errors.ts';
import type { Option } from './option.ts';

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
