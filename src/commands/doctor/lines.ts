// Formats a finding for a terminal: the message is wrapped within its column, the fix is printed below it.
import { safeText } from '../../output/safe-text.ts';
import { wrapTerminal } from '../../output/wrap.ts';
import type { Finding } from './finding.ts';

const indent = 25;
const narrowest = 24;

export function findingLines({ name, status, message, fix }: Finding, width: number): string[] {
  const room = Math.max(width - indent, narrowest);
  const head = `${status.padEnd(8)}  ${name.padEnd(13)}  `;
  const below = ' '.repeat(indent);
  // Escaped before wrapping, because escaped control characters are wider.
  const wrapped = (text: string, columns: number) => wrapTerminal(safeText(text), columns);
  return [
    ...wrapped(message, room).map((line, index) => (index === 0 ? head : below) + line),
    ...(fix === null ? [] : wrapped(fix, room - 2)).map(
      (line, index) => `${below}${index === 0 ? '→ ' : '  '}${line}`,
    ),
  ];
}
