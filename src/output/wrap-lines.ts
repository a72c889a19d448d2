// Wraps lines at the width of a terminal. Continued lines are indented below the text.
import stringWidth from 'string-width';
import type { Line, Span } from './result.ts';
import { safeText } from './safe-text.ts';

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
