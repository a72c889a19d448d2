// The result types of commands: data and how to present it to people. Independent of output formats.
import type { ErrorDetails, ExitReason, SvcError } from '../core/errors.ts';

/** The meaning of a value, which the style turns into a color. */
export type Tone = 'good' | 'bad' | 'warn' | 'muted' | 'strong' | 'plain';

/** The tone of a word from the service, or `fallback` for an unknown word. */
export const chooseTone = (
  tones: Record<string, Tone>,
  word: string | null | undefined,
  fallback: Tone = 'plain',
): Tone => (Object.hasOwn(tones, word ?? '') ? tones[word ?? ''] : undefined) ?? fallback;

/** A column of a table and of tab-separated, CSV and TSV output. */
export interface Column<T> {
  /** Path in the item, such as `subscriber.email`; also the name in CSV and TSV headers. */
  field: string;
  /** Heading on a terminal. */
  header: string;
  /** The value to show, if it is not the one at `field`. */
  value?: (item: T) => unknown;
  /** The text in a table, which has less room than other formats; default: the value. */
  tableText?: (item: T) => string;
  /**
   * In a narrow table, columns with the highest number are dropped first; 1: only after the columns that are never
   * dropped were truncated. 0 or absent: never dropped.
   */
  drop?: number;
  /** May be truncated to fit, but not below this width. Not for identifiers. */
  shrink?: true | number;
  /** An id that a narrow table shortens to its last characters that differ from other ids. */
  shorten?: true;
  /** Left out of a table if none of its first rows has a value. */
  optional?: true;
  /** Sorts the columns of a table. Other formats keep the order of the declaration, which scripts rely on. */
  order?: number;
  /** Numbers: aligned right. */
  right?: true;
  /** Cut at the start, for paths: `…/users.csv`. */
  cutStart?: true;
  /** May be truncated further when no column is left to drop, before rows become cards. */
  squeeze?: true;
  /** Truncated after a whole word, if it has several. */
  wholeWords?: true;
  /** Continues on further lines instead of being truncated; `shrink` is the minimum width. */
  wrap?: true;
  /** An ISO time, or a text with some, which are short on a terminal. */
  time?: true;
  tone?: (item: T) => Tone;
  /** The value in parts with their own tones, in a table; in ASCII unless `unicode`. */
  spans?: (item: T, unicode: boolean) => readonly Span[];
}

/** One page of a list, with totals and cursors in `facts`. */
export interface ListPage<T> {
  items: readonly T[];
  info?: object;
}

/** Any number of items, written as they arrive. */
export interface ListResult<T = unknown> {
  type: 'list';
  pages: AsyncIterable<ListPage<T>>;
  columns: readonly Column<T>[];
  /** The id that `-o ids` prints for an item. */
  id: (item: T) => string;
  /** The hint for an empty list. */
  empty: string;
  /** The commands to run after an empty list, with their purposes. */
  next?: Readonly<Record<string, string>>;
  /** Pages arrive over time, so each one is printed at once. */
  stream?: true;
  /** The format if none is requested, instead of the format of the stream. */
  defaultFormat?: 'ndjson';
  /** With `--page-info` JSON becomes `{items, page}`. */
  pageInfo?: boolean;
  /** Returns the command for the next page, from the facts of the last one; undefined at the end of the list. */
  nextPageCommand?: (last: object, count: number) => string | undefined;
}

/** One object. On a terminal only `fields` are shown, in order; other formats contain all of it. */
export interface RecordResult<T = object> {
  type: 'record';
  value: T;
  fields?: readonly Column<T>[];
  /** Tables below the fields, such as the steps of a workflow, and commands to run next. */
  parts?: readonly (RecordPart | CommandsPart | TextPart)[];
  id?: (value: T) => string;
  /** As in a report. On a terminal it is printed on standard error; in a pipe it takes the place of the fields. */
  headline?: string;
  /** Lines, CSV and TSV print these rows instead of the object, and `-o ids` their ids. */
  rows?: RecordRows;
  /** By default the command exits with 0. */
  end?: ExitEnd & { failure: Failure };
}

/** A list that the object contains. */
export interface RecordRows {
  /** Printed on standard error: what the rows do not show. */
  hint?: string | undefined;
  items: readonly unknown[];
  columns: readonly Column<never>[];
  id: (item: never) => string;
}

export interface RecordPart {
  title: string;
  /** The meaning of the bars of the table, after the title. */
  legend?: (unicode: boolean) => readonly Span[];
  rows: readonly unknown[];
  columns: readonly Column<never>[];
  empty: string;
}

export interface CommandsPart {
  title: string;
  commands: readonly string[];
}

/** A text of several lines, such as the body of an e-mail. */
export interface TextPart {
  title: string;
  lines: readonly string[];
}

/** A part of a line with its own tone. */
export interface Span {
  text: string;
  tone?: Tone;
}

/**
 * A line for people. On a terminal, a text is a sentence and is broken at blanks; parts are printed as they are, with
 * colors. Use parts for a text that is copied, such as a path.
 */
export type Line = string | readonly Span[];

/** The text of a line, without tones. */
export const plainText = (line: Line): string =>
  typeof line === 'string' ? line : line.map(({ text }) => text).join('');

/** The outcome of an action: data for programs, lines for people, and how the command ends. */
export interface ReportResult {
  type: 'report';
  value: unknown;
  /** The outcome of a write, without a full stop. Printed as the first line, completed with the environment. */
  headline?: string;
  /** People read the lines in a pipe, too. A report with a headline always has this. */
  hasLinesInPipe?: true;
  /** Lines for people. */
  lines: readonly Line[];
  /** The ids that `-o ids` prints. */
  ids: readonly string[];
  /** The columns in a pipe, in CSV and in TSV, if the value is an array. */
  columns?: readonly Column<never>[];
  /** The rows to print in a pipe, in CSV and in TSV, if the value is not an array. */
  rows?: { items: readonly object[]; columns: readonly { field: string; header: string }[] };
  /** The text to print in a pipe instead of `field<TAB>value` lines. */
  tsv?: string;
  /** By default the command exits with 0. */
  end?: ReportEnd;
}

/** How a command ends after its report is printed. */
export type ReportEnd =
  | ExitEnd
  /** An error stopped the command early. The data is printed first, then the error. */
  | { type: 'error'; cause: SvcError }
  /** Work after printing, such as running a server. Returns the exit reason. */
  | { type: 'work'; run: () => Promise<ExitReason> };

export interface ExitEnd {
  type: 'exit';
  exitReason: ExitReason;
  /** The error to report if the exit reason is not ok and `lines` are not printed. Made from `lines` if absent. */
  failure?: Failure | undefined;
}

export type Failure = { message: string } & Pick<
  ErrorDetails,
  'fieldErrors' | 'hint' | 'next' | 'isWarning'
>;

/** The requests of a dry run. `--fields` does not apply to them. */
export interface DryRunResult {
  type: 'dryRun';
  value: unknown;
  lines: readonly string[];
  ids: readonly string[];
  columns: readonly Column<never>[];
}

export interface NoResult {
  type: 'none';
  /** The exit code of a command that svc ran. */
  exitCode?: number;
}

/** Any JSON value, printed as JSON unless YAML or NDJSON is requested. */
export interface JsonResult {
  type: 'json';
  value: unknown;
  /** Lines before the value, such as the status and headers of a response. */
  head?: readonly string[];
  /** Do not mask: the value is not data of the service, such as a schema with fields named like secrets. */
  unmasked?: true;
}

/** Plain text, such as a completion script. */
export interface TextResult {
  type: 'text';
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a printer accepts lists of any item
type AnyList = ListResult<any>;
// biome-ignore lint/suspicious/noExplicitAny: a printer accepts any record
type AnyRecord = RecordResult<any>;

export type Result =
  | AnyList
  | AnyRecord
  | ReportResult
  | DryRunResult
  | NoResult
  | TextResult
  | JsonResult;

export const list = <T>(result: Omit<ListResult<T>, 'type'>): ListResult<T> => ({
  type: 'list',
  ...result,
});
/** The hints of an empty list: nothing matches the filters, or how an item comes into being. */
export const emptyList = (
  items: string,
  filters: object,
  next: Readonly<Record<string, string>>,
): Pick<ListResult, 'empty' | 'next'> =>
  Object.values(filters).some((value) => value !== undefined)
    ? { empty: `No ${items} match.` }
    : { empty: `No ${items}.`, next };
export const one = <T extends object>(result: Omit<RecordResult<T>, 'type'>): RecordResult<T> => ({
  type: 'record',
  ...result,
});
/** Without lines, people read the headline alone. */
export const report = (
  result: Omit<ReportResult, 'type' | 'lines'> & Partial<Pick<ReportResult, 'lines'>>,
): ReportResult => ({ type: 'report', lines: [], ...result });
export const json = (
  value: unknown,
  more: Pick<JsonResult, 'head' | 'unmasked'> = {},
): JsonResult => ({ type: 'json', value, ...more });
export const noResult: NoResult = { type: 'none' };

export const exit = (exitReason: ExitReason, failure?: Failure): ExitEnd => ({
  type: 'exit',
  exitReason,
  failure,
});

/** The heading of a field without a column: `SHORT NAME` for `shortName`. */
export const toHeader = (field: string): string =>
  field.replace(/([a-z])([A-Z])/g, '$1 $2').toUpperCase();

/** Columns of values that have the names of the fields as headers, for pipes, CSV and TSV. */
export const fieldColumns = (fields: readonly string[]): Column<unknown>[] =>
  fields.map((field) => ({ field, header: field }));

/** A complete list as one page. */
export async function* onePage<T>(items: readonly T[]): AsyncGenerator<ListPage<T>> {
  yield { items };
}
