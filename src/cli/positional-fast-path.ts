// Parses command lines that contain only positional arguments, without loading the parser, which is the largest
// module of a short command.
import type { Command } from './command.ts';
import type { Parsed } from './parser.ts';

/** The arguments by name; undefined if the line has options or an error, which the parser handles. */
export function parsePositionals(
  { arguments: specs = {} }: Command,
  words: readonly string[],
): Parsed | undefined {
  const args = Object.entries(specs);
  const isRest = (syntax: string) => syntax.includes('...');
  const needed = args.filter(([, { syntax }]) => syntax.startsWith('<')).length;
  const most = args.some(([, { syntax }]) => isRest(syntax))
    ? Number.POSITIVE_INFINITY
    : args.length;
  if (words.length < needed || words.length > most) return undefined;
  if (words.some((word) => word.startsWith('-')) || args.some(([, { choices }]) => choices))
    return undefined;
  const values = args.map(([name, { syntax }], index) => [
    name,
    isRest(syntax) ? words.slice(index) : words[index],
  ]);
  return { args: Object.fromEntries(values), options: {}, globals: {}, help: false };
}
