// Which format an input has, and what stands between its CSV cells: by its name, else by its first text.
import { usageError } from '../core/errors.ts';

export const recordFormats = ['csv', 'ndjson', 'json', 'lines'] as const;
export type RecordFormat = (typeof recordFormats)[number];

export interface Clues {
  file: string;
  /** The beginning of the text. */
  first: string;
  /** The format when the name's ending says nothing; else the text is looked at. */
  otherwise?: RecordFormat | undefined;
}

export function guessFormat({ file, first, otherwise }: Clues): RecordFormat {
  const extension = /\.(csv|tsv|ndjson|jsonl|json)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase();
  const start = first.trimStart()[0];
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  if (extension === undefined && otherwise) return otherwise;
  if (start === '[') return 'json';
  return start === '{' ? 'ndjson' : 'csv';
}

/** The separators that need not be said. */
const sniffed = [',', ';', '\t'];

/** The separator that the header line has most of. */
export function sniffDelimiter(first: string): string {
  const bare = first.replace(/"[^"]*"/g, '');
  const line = bare.split(/[\r\n]+/).find((one) => one !== '') ?? '';
  const counts = sniffed.map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** `--delimiter`: one ASCII character; `tab` and `\t` are the tabulator. */
export function readDelimiter(typed: string): string {
  if (typed === 'tab' || typed === '\\t') return '\t';
  if (/^[\t -!#-~]$/.test(typed)) return typed;
  throw usageError(`--delimiter: \`${typed}\` is not one ASCII character such as ; or tab.`);
}
