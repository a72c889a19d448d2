import stringWidth from 'string-width';
import type { Line, Span } from '../output/result.ts';
import { safeText } from '../output/safe-text.ts';

// The lines that differ between two texts, with a few unchanged lines around them.

export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'gap';
  text: string;
}

/** Texts with more differing lines than this are shown as replaced, because comparing them takes too long. */
const maxCells = 4_000_000;

/** `gap` stands for unchanged lines that are left out; its text is their number. */
export function diffLines(before: string, after: string, context = 2): DiffLine[] {
  const [a, b] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (
    end < a.length - start &&
    end < b.length - start &&
    a[a.length - 1 - end] === b[b.length - 1 - end]
  )
    end += 1;
  const same = (lines: readonly string[]) =>
    lines.map((text): DiffLine => ({ kind: 'same', text }));
  return withGaps(
    [
      ...same(a.slice(0, start)),
      ...diffMiddle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
      ...same(a.slice(a.length - end)),
    ],
    context,
  );
}

/** Keeps carriage returns, so that another kind of line break is a difference. */
const splitLines = (text: string) => text.split('\n');

/** The longest common subsequence, removed lines first. */
function diffMiddle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const removed = (text: string): DiffLine => ({ kind: 'removed', text });
  const added = (text: string): DiffLine => ({ kind: 'added', text });
  if (a.length * b.length > maxCells) return [...a.map(removed), ...b.map(added)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && left === right) {
      lines.push({ kind: 'same', text: left });
      i += 1;
      j += 1;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(left));
      i += 1;
    } else {
      lines.push(added(right ?? ''));
      j += 1;
    }
  }
  return lines;
}

/** Replaces unchanged lines that are further than `context` from a change. */
function withGaps(lines: readonly DiffLine[], context: number): DiffLine[] {
  const isNear = lines.map((_line, index) =>
    lines
      .slice(Math.max(0, index - context), index + context + 1)
      .some(({ kind }) => kind !== 'same'),
  );
  const shown: DiffLine[] = [];
  let hidden: DiffLine[] = [];
  const flush = () => {
    // One line takes no more room than the note that it is left out.
    if (hidden.length === 1) shown.push(...hidden);
    else if (hidden.length > 1) shown.push({ kind: 'gap', text: String(hidden.length) });
    hidden = [];
  };
  for (const [index, line] of lines.entries()) {
    if (!isNear[index]) {
      hidden.push(line);
      continue;
    }
    flush();
    shown.push(line);
  }
  flush();
  return shown;
}

// Wraps the lines of a diff at the width of a terminal. Continued lines are indented below the text.

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
