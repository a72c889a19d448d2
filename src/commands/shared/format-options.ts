// Formats options as command-line text, for command lines that svc suggests.
import { shellWord } from '../../core/shell-word.ts';
import { kebabCase } from '../../core/text.ts';

/** `orderBy` as `--order-by`. */
export const dashed = (name: string) => `--${kebabCase(name)}`;

/** Returns the options except those in `without`: ` --status ACTIVE --unread`; empty if there are none. */
export function optionWords(options: object, without: readonly string[] = []): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false || without.includes(name)) return [];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.map((listed) =>
      listed === true ? dashed(name) : `${dashed(name)} ${shellWord(String(listed))}`,
    );
  });
  return words.map((word) => ` ${word}`).join('');
}
