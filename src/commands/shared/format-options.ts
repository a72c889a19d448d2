// Options as they would be typed: the other way round from parsing. For commands that are there to be copied.
import { shellWord } from '../../core/shell-word.ts';

/** `orderBy` as `--order-by`. */
export const dashed = (name: string) =>
  `--${name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;

/** The given options, those named in `without` left out: ` --status ACTIVE --unread`; nothing when none is left. */
export function optionWords(options: object, without: readonly string[] = []): string {
  const words = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false || without.includes(name)) return [];
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.map((one) =>
      one === true ? dashed(name) : `${dashed(name)} ${shellWord(String(one))}`,
    );
  });
  return words.map((word) => ` ${word}`).join('');
}
