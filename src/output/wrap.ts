import stringWidth from 'string-width';
import { wrapMessage, wrapWords } from '../core/text.ts';
import { type Line, plainText, type Span } from './result.ts';
import { safeText } from './safe-text.ts';

/** Lines broken at blanks, no wider than `width`. A longer word, such as a path, stays whole on its own line. */
export const wrapTerminal = (text: string, width: number): string[] =>
  wrapWords(text, width, stringWidth);

/** The lines of a message with a hanging indent. Commands and paths stay whole. */
export const wrapTerminalMessage = (text: string, width: number): string[] =>
  wrapMessage(text, width, stringWidth);

/** Like `wrapTerminal`, but a word that is wider than a line is split. */
export const wrapText = (text: string, width: number): string[] =>
  wrapTerminal(text, width).flatMap((line) => splitAt(line, width));

function splitAt(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines = [''];
  let size = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = stringWidth(segment);
    if (size > 0 && size + next > width) {
      lines.push('');
      size = 0;
    }
    lines[lines.length - 1] += segment;
    size += next;
  }
  return lines;
}

// Wraps lines at the width of a terminal. Continued lines are indented below the text.

/** Escapes control characters first, because the escaped text is wider. `hangingIndent` is for prose, whose words stay whole. */
export function wrapLines(lines: readonly Line[], width: number, hangingIndent?: number): Line[] {
  return lines.flatMap((line) => {
    const spans = (typeof line === 'string' ? [{ text: line }] : line).map((span) => ({
      ...span,
      text: safeText(span.text),
    }));
    return wrapSpans(spans, Math.max(width, 20), hangingIndent);
  });
}

function wrapSpans(spans: readonly Span[], width: number, hangingIndent?: number): Span[][] {
  const whole = spans.map(({ text }) => text).join('');
  if (stringWidth(whole) <= width) return [[...spans]];
  const lead = hangingIndent ?? /^ *(?:[-+~] )?/.exec(whole)?.[0].length ?? 0;
  const indent = ' '.repeat(Math.min(lead, Math.floor(width / 2)));
  const isProse = hangingIndent !== undefined;
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, tone } of spans) {
    let piece = '';
    const flush = () => {
      if (piece !== '')
        lines.at(-1)?.push(tone === undefined ? { text: piece } : { text: piece, tone });
      piece = '';
    };
    const breakLine = () => {
      if (isProse) piece = piece.trimEnd();
      flush();
      lines.push([{ text: indent }]);
      used = indent.length;
    };
    for (const word of text.match(/\s+|\S+/g) ?? []) {
      const isBlank = !/\S/.test(word);
      const isWide = stringWidth(word) > width - indent.length;
      // A word moves to a line of its own. A wider one is split, but not in prose, where it is a path or a name.
      const fits = used === 0 || used + stringWidth(word) <= width;
      if (!fits && !isBlank && (isProse || !isWide)) breakLine();
      if (isProse && isWide && !isBlank) {
        piece += word;
        used += stringWidth(word);
        continue;
      }
      for (const { segment } of new Intl.Segmenter().segment(word)) {
        const size = stringWidth(segment);
        if (used + size > width) {
          if (isProse && segment === ' ') continue;
          breakLine();
        }
        piece += segment;
        used += size;
      }
    }
    flush();
  }
  return lines;
}

// A finding: a heading, its message and its fix.

const narrowest = 24;

/** The message is wrapped within its column after `head`, the fix is printed below it. */
export function findingLines(
  head: readonly Span[],
  { message, fix }: { message: string; fix: string | null },
  width: number,
): Line[] {
  const { length } = plainText(head);
  const room = Math.max(width - length, narrowest);
  const below = { text: ' '.repeat(length) };
  // Escaped before wrapping, because escaped control characters are wider.
  const wrapped = (text: string, columns: number) => wrapTerminal(safeText(text), columns);
  return [
    ...wrapped(message, room).map((text, index) => [...(index === 0 ? head : [below]), { text }]),
    ...(fix === null ? [] : wrapped(fix, room - 2)).map((line, index) => [
      below,
      { text: `${index === 0 ? '→ ' : '  '}${line}` },
    ]),
  ];
}
