// Formats options as words of a command line that svc suggests.
import { kebabCase, shellWord } from '../core/text.ts';

/** `orderBy` as `--order-by`. */
export const dashed = (name: string) => `--${kebabCase(name)}`;

/** Returns the words of the options except those in `without`: `--status`, `ACTIVE`, `--unread`. */
export const optionWords = (options: object, without: readonly string[] = []): string[] =>
  Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false || without.includes(name)) return [];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.flatMap((listed) =>
      listed === true ? [dashed(name)] : [dashed(name), String(listed)],
    );
  });

/** The words as text to append to a command line; empty if there are none. */
export const optionText = (options: object, without: readonly string[] = []): string =>
  optionWords(options, without)
    .map((word) => ` ${shellWord(word)}`)
    .join('');
