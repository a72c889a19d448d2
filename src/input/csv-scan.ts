// The scanner of CSV: text in, rows out. Lines without a quote are split as they are; the others are read
// cell by cell. What is left of a row whose quote is still open waits for the next text.
import type { TextBlock } from './text-blocks.ts';

export interface CsvRow {
  /** The line on which it begins, from 1. */
  line: number;
  cells: string[];
  /** Why it cannot be used. */
  error?: string;
}

const notUtf8 = 'is not valid UTF-8';

export function createCsvScan(delimiter: string) {
  let rest = '';
  let restValid = true;
  let line = 1;

  const scan = (text: string, valid: boolean, isLast: boolean): CsvRow[] => {
    const rows: CsvRow[] = [];
    const ends = lineEnds(text);
    let quote = text.indexOf('"');
    let at = 0;
    while (at < text.length) {
      const end = ends(at);
      if (end.from < 0 && !isLast) break;
      const to = end.from < 0 ? text.length : end.from;
      if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
      if (quote < 0 || quote >= to) {
        if (to > at) {
          const row: CsvRow = { line, cells: text.slice(at, to).split(delimiter) };
          if (!valid) row.error = notUtf8;
          rows.push(row);
        }
        at = end.from < 0 ? text.length : end.next;
        line += 1;
        continue;
      }
      const read = readQuoted(text, at, delimiter);
      if (read.open) {
        if (!isLast) break;
        rest = text.slice(at);
        return rows;
      }
      const error = valid ? read.error : notUtf8;
      rows.push({ line, cells: read.cells, ...(error === undefined ? {} : { error }) });
      line += countLines(text, at, read.next);
      at = read.next;
    }
    rest = at === 0 ? text : text.slice(at);
    return rows;
  };

  return {
    take({ text, valid }: TextBlock): CsvRow[] {
      const whole = rest === '' ? text : rest + text;
      const rows = scan(whole, valid && (rest === '' || restValid), false);
      restValid = rest === '' || (valid && restValid);
      return rows;
    },
    /** What is left without a line break at its end; `open` when a quote is. */
    end(): { rows: CsvRow[]; open: boolean } {
      const text = rest;
      rest = '';
      const rows = scan(text, restValid, true);
      return { rows, open: rest !== '' };
    },
    /** Characters that wait for the end of their row. */
    held: () => rest.length,
    /** The line that is read next. */
    line: () => line,
  };
}

interface LineEnd {
  /** Where the line break begins; -1 when there is none. */
  from: number;
  next: number;
}

/** Finds line breaks: a line feed, a carriage return, or both. */
function lineEnds(text: string): (at: number) => LineEnd {
  const hasReturns = text.includes('\r');
  const none = { from: -1, next: -1 };
  if (!hasReturns) {
    return (at) => {
      const feed = text.indexOf('\n', at);
      return feed < 0 ? none : { from: feed, next: feed + 1 };
    };
  }
  return (at) => {
    const feed = text.indexOf('\n', at);
    const back = text.indexOf('\r', at);
    if (back >= 0 && (feed < 0 || back < feed)) {
      return { from: back, next: feed === back + 1 ? feed + 1 : back + 1 };
    }
    return feed < 0 ? none : { from: feed, next: feed + 1 };
  };
}

interface QuotedRow {
  cells: string[];
  /** Behind the line break that ends it. */
  next: number;
  open: boolean;
  error?: string;
}

const isEnd = (character: string | undefined) =>
  character === undefined || character === '\n' || character === '\r';

/** One row with quotes in it, cell by cell. */
function readQuoted(text: string, from: number, delimiter: string): QuotedRow {
  const cells: string[] = [];
  let at = from;
  let error: string | undefined;
  for (;;) {
    if (text[at] === '"') {
      const close = closingQuote(text, at);
      if (close < 0) return { cells, next: text.length, open: true };
      const inner = text.slice(at + 1, close);
      cells.push(inner.includes('"') ? inner.replaceAll('""', '"') : inner);
      at = close + 1;
      if (!isEnd(text[at]) && text[at] !== delimiter) {
        error ??= `has text behind the closing quote of cell ${cells.length}`;
        at = plainEnd(text, at, delimiter);
      }
    } else {
      const end = plainEnd(text, at, delimiter);
      const cell = text.slice(at, end);
      if (cell.includes('"'))
        error ??= `has a quote inside cell ${cells.length + 1}, which is not quoted`;
      cells.push(cell);
      at = end;
    }
    if (text[at] === delimiter) {
      at += 1;
      continue;
    }
    const next =
      text[at] === '\r' && text[at + 1] === '\n' ? at + 2 : Math.min(at + 1, text.length);
    return { cells, next, open: false, ...(error === undefined ? {} : { error }) };
  }
}

/** Where the quote that opens at `from` closes; -1 when it does not. */
function closingQuote(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    if (text[quote + 1] !== '"') return quote;
    at = quote + 2;
  }
}

/** The delimiter or line break that ends a cell without quotes around it. */
function plainEnd(text: string, from: number, delimiter: string): number {
  let at = from;
  while (at < text.length && text[at] !== delimiter && !isEnd(text[at])) at += 1;
  return at;
}

function countLines(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) {
    const character = text[at];
    if (character === '\n' || (character === '\r' && text[at + 1] !== '\n')) lines += 1;
  }
  return lines;
}
