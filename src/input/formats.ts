// Detects the format and the CSV delimiter of an input, by its file name and its first text.
import { usageError } from '../core/errors.ts';

export const recordFormats = ['csv', 'ndjson', 'json', 'lines'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/** The values of --encoding. */
export const encodings = ['utf-8', 'utf-16', 'windows-1252', 'latin1'] as const;
export type Encoding = (typeof encodings)[number];

export interface FormatHints {
  file: string;
  /** The start of the text. */
  first: string;
  /** The format if the file name has no known extension. If absent, the text decides. */
  defaultFormat?: RecordFormat | undefined;
}

export function guessFormat({ file, first, defaultFormat }: FormatHints): RecordFormat {
  const extension = /\.(csv|tsv|ndjson|jsonl|json)(\.gz)?$/i.exec(file)?.[1]?.toLowerCase();
  const start = first.trimStart()[0];
  if (extension === 'csv' || extension === 'tsv') return 'csv';
  if (extension === 'ndjson' || extension === 'jsonl') return 'ndjson';
  if (extension === undefined && defaultFormat) return defaultFormat;
  if (start === '[') return 'json';
  return start === '{' ? 'ndjson' : 'csv';
}

/** The delimiters that are detected without --delimiter. */
const sniffedDelimiters = [',', ';', '\t'];

/** Returns the delimiter that is most frequent in the header line. */
export function sniffDelimiter(first: string): string {
  const bare = first.replace(/"[^"]*"/g, '');
  const line = bare.split(/[\r\n]+/).find((text) => text !== '') ?? '';
  const counts = sniffedDelimiters.map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).mark;
}

/** The line `sep=;` that Excel writes before the header: its delimiter, and its length with the line end. */
export function readSeparatorLine(
  first: string,
): { delimiter: string; length: number } | undefined {
  const [line, delimiter] = /^"?sep=([\t -~])"?(?:\r\n|\r|\n)/i.exec(first) ?? [];
  return line === undefined || delimiter === undefined
    ? undefined
    : { delimiter, length: line.length };
}

/** Parses `--delimiter`: one ASCII character; `tab` and `\t` mean a tab. */
export function readDelimiter(value: string): string {
  if (value === 'tab' || value === '\\t') return '\t';
  if (/^[\t -!#-~]$/.test(value)) return value;
  throw usageError(`--delimiter: \`${value}\` must be a single ASCII character such as ; or tab.`);
}
