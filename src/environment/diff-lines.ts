// The lines that differ between two texts, with a few unchanged lines around them.

export interface DiffLine {
  kind: 'same' | 'removed' | 'added' | 'gap';
  text: string;
}

/** If the numbers of differing lines multiply to more, the texts are shown as replaced: comparing them takes too long. */
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
