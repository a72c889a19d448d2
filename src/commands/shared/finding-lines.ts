// The lines of a finding for a terminal.
import { safeText } from '../../output/safe-text.ts';
import { wrapTerminal } from '../../output/wrap.ts';

const narrowest = 24;

/** The message is wrapped within its column after `head`, the fix is printed below it. */
export function findingLines(
  head: string,
  { message, fix }: { message: string; fix: string | null },
  width: number,
): string[] {
  const room = Math.max(width - head.length, narrowest);
  const below = ' '.repeat(head.length);
  // Escaped before wrapping, because escaped control characters are wider.
  const wrapped = (text: string, columns: number) => wrapTerminal(safeText(text), columns);
  return [
    ...wrapped(message, room).map((line, index) => (index === 0 ? head : below) + line),
    ...(fix === null ? [] : wrapped(fix, room - 2)).map(
      (line, index) => `${below}${index === 0 ? '→ ' : '  '}${line}`,
    ),
  ];
}
