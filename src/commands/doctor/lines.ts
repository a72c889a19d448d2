// How a finding is told to a person: wrapped at blanks below its column, its remedy beneath.
import { safeText } from '../../output/safe-text.ts';
import type { Finding } from './finding.ts';

const indent = 25;
const narrowest = 24;

export function findingLines({ check, state, found, remedy }: Finding, width: number): string[] {
  const room = Math.max(width - indent, narrowest);
  const head = `${state.padEnd(8)}  ${check.padEnd(13)}  `;
  const below = ' '.repeat(indent);
  return [
    ...wrapped(found, room).map((line, index) => (index === 0 ? head : below) + line),
    ...(remedy === null ? [] : wrapped(remedy, room - 2)).map(
      (line, index) => `${below}${index === 0 ? '→ ' : '  '}${line}`,
    ),
  ];
}

/** A word that is longer than a line, such as a path, stays whole. */
function wrapped(text: string, room: number): string[] {
  const lines: string[] = [];
  // As it will be shown: what would act on a terminal takes more room there.
  for (const word of safeText(text).split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > room) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
