// Wraps the lines of a diff at the width of a terminal. Continued lines are indented below the text.
import stringWidth from 'string-width';
import type { Line, Span } from '../output/result.ts';
import { safeText } from '../output/safe-text.ts';

/** Escapes control characters first, because the escaped text is wider. `hangingIndent` is for prose. */
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
  const lines: Span[][] = [[]];
  let used = 0;
  for (const { text, tone } of spans) {
    let piece = '';
    const flush = () => {
      if (piece !== '')
        lines.at(-1)?.push(tone === undefined ? { text: piece } : { text: piece, tone });
      piece = '';
    };
    for (const word of text.match(/\s+|\S+/g) ?? []) {
      // A word that fits in a line of its own moves there; a longer one is split.
      if (
        used + stringWidth(word) > width &&
        stringWidth(word) <= width - indent.length &&
        /\S/.test(word)
      ) {
        flush();
        lines.push([{ text: indent }]);
        used = indent.length;
      }
      for (const { segment } of new Intl.Segmenter().segment(word)) {
        const size = stringWidth(segment);
        if (used + size > width) {
          if (hangingIndent !== undefined && segment === ' ') continue;
          flush();
          lines.push([{ text: indent }]);
          used = indent.length;
        }
        piece += segment;
        used += size;
      }
    }
    flush();
  }
  return lines;
}
