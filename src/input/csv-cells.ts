// The cells of one CSV record. A quote in the wrong place is taken as it stands and reported, so that line
// ends inside the quoted cells behind it stay inside.
import { type Block, readable } from './blocks.ts';

export interface Cells {
  cells: string[];
  /** Behind the last cell. */
  end: number;
  /** Which rule the record breaks. */
  fault: string | undefined;
  /** Where a quote opens that does not close in this block; then the cells say nothing. */
  open: number | undefined;
}

const quote = 34;
const misplaced = 'has a quote in the wrong place';
const notUtf8 = 'is not valid UTF-8';

/** A line without a quote. */
export function readPlain(block: Block, from: number, end: number, delimiter: string): Cells {
  const text = block.textOf(from, end);
  if (text !== undefined)
    return { cells: text.split(delimiter), end, fault: undefined, open: undefined };
  const cells = block.latin.slice(from, end).split(delimiter).map(readable);
  return { cells, end, fault: notUtf8, open: undefined };
}

/** A record with a quote in its first line; may go on over several. */
export function readQuoted(block: Block, from: number, delimiter: string): Cells {
  const { latin } = block;
  const mark = delimiter.charCodeAt(0);
  const cells: string[] = [];
  let fault: string | undefined;
  let at = from;

  const text = (start: number, stop: number): string => {
    const decoded = block.textOf(start, stop);
    if (decoded === undefined) fault = notUtf8;
    return decoded ?? latin.slice(start, stop);
  };

  for (;;) {
    if (latin.charCodeAt(at) === quote) {
      const close = closingQuote(latin, at);
      if (close < 0) return { cells, end: at, fault, open: at };
      const stop = cellEnd(latin, close + 1, mark);
      if (stop === close + 1) {
        const cell = text(at + 1, close);
        cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
      } else {
        fault ??= misplaced;
        cells.push(text(at, stop));
      }
      at = stop;
    } else {
      const stop = cellEnd(latin, at, mark);
      const cell = text(at, stop);
      if (cell.includes('"')) fault ??= misplaced;
      cells.push(cell);
      at = stop;
    }
    if (at >= latin.length || latin.charCodeAt(at) !== mark)
      return { cells, end: at, fault, open: undefined };
    at += 1;
  }
}

/** Past the doubled quotes, or -1. */
function closingQuote(latin: string, open: number): number {
  let at = latin.indexOf('"', open + 1);
  while (at >= 0 && latin.charCodeAt(at + 1) === quote) at = latin.indexOf('"', at + 2);
  return at;
}

/** The next delimiter or line end. */
function cellEnd(latin: string, from: number, mark: number): number {
  for (let at = from; at < latin.length; at += 1) {
    const code = latin.charCodeAt(at);
    if (code === mark || code === 10 || code === 13) return at;
  }
  return latin.length;
}
