// What a command returns: its data and how a person would like to see it. Knows no format.
import type { ExitReason, FieldError, SvcError } from '../core/errors.ts';

/** What a value means; the style turns it into a colour. */
export type Tone = 'good' | 'bad' | 'warn' | 'muted' | 'strong' | 'plain';

/** The tone of a word of the service; of one that is not among these, `otherwise`. */
export const toneOf = (
  tones: Record<string, Tone>,
  word: string | null | undefined,
  otherwise: Tone = 'plain',
): Tone => (Object.hasOwn(tones, word ?? '') ? tones[word ?? ''] : undefined) ?? otherwise;

/** A column of a table and of tab-separated, CSV and TSV output. */
export interface Column<T> {
  /** Path in the item, such as `subscriber.email`; also the name in CSV and TSV headers. */
  field: string;
  /** Heading on a terminal. */
  header: string;
  /** The value shown, when it is not simply the one at `field`. */
  value?: (item: T) => unknown;
  /** Dropped from a narrow table before columns of a lower number; 0 or absent stays. */
  drop?: number;
  /** May be cut to fit, to this width at least; identifiers may not. */
  shrink?: true | number;
  /** May be cut below that when no column is left to drop, before rows become cards. */
  squeeze?: true;
  /** Where it does not fit, it continues on further lines instead of being cut; `shrink` is the least width. */
  wrap?: true;
  /** ISO time, shown relative to now on a terminal. */
  time?: true;
  tone?: (item: T) => Tone;
}

/** One page of a list and what is known of the rest. */
export interface ListPage<T> {
  items: readonly T[];
  facts?: object;
}

/** Any number of items, written as they arrive. */
export interface ListResult<T = unknown> {
  kind: 'list';
  pages: AsyncIterable<ListPage<T>>;
  columns: readonly Column<T>[];
  /** What `-o ids` prints for an item. */
  id: (item: T) => string;
  /** What a person reads when there is nothing; names the next step. */
  empty: string;
  /** Pages come over time: each is shown at once. */
  stream?: true;
  /** With `--page-info` JSON becomes `{items, page}`. */
  pageInfo?: boolean;
  /** The command that continues a partial list, from the facts of its last page; undefined at the end. */
  nextPageCommand?: (last: object, shown: number) => string | undefined;
}

/** One object. `fields` says what a person sees of it, in order; programs get all of it. */
export interface RecordResult<T = object> {
  kind: 'record';
  value: T;
  fields?: readonly Column<T>[];
  /** Tables below the fields, such as the steps of a workflow. */
  parts?: readonly RecordPart[];
  id?: (value: T) => string;
  /** What a write did, as for a report; shown beside the record on a terminal. */
  headline?: string;
}

export interface RecordPart {
  title: string;
  rows: readonly unknown[];
  columns: readonly Column<never>[];
  empty: string;
}

/** The outcome of something done: data for programs, sentences for a person, and an ending. */
export interface ReportResult {
  kind: 'report';
  value: unknown;
  /** What a write did, without a full stop: the first line for a person, completed with where it was done. */
  headline?: string;
  /** Lines for a person. */
  lines: readonly string[];
  /** What `-o ids` prints. */
  ids?: readonly string[];
  /** It is svc's own, such as a dry run: `--fields` does not cut it. */
  whole?: true;
  /** For a value that is an array: the columns of its lines in a pipe, in CSV and in TSV. */
  columns?: readonly Column<never>[];
  /** What a pipe gets instead of `field<TAB>value` lines. */
  tsv?: string;
  exitReason?: ExitReason;
  /** What an ending that is no success says on standard error where `lines` are not printed; else those. */
  failure?: { message: string; fieldErrors?: readonly FieldError[]; hint?: string };
  /** What goes on after it is printed, such as a server; gives the ending. */
  afterPrint?: () => Promise<ExitReason>;
  /** The error that ended it early; told on standard error after the data. */
  cause?: SvcError;
}

/** Already said everything, or nothing to say. */
export interface NoResult {
  kind: 'none';
  exitReason?: ExitReason;
}

/** Any JSON value, printed as JSON unless YAML or NDJSON is asked for. */
export interface JsonResult {
  kind: 'json';
  value: unknown;
  /** Lines before it, such as the status and headers of an answer. */
  head?: readonly string[];
  /** It holds no data of the service, such as a schema, whose fields have the names of secrets: not masked. */
  open?: true;
}

/** Text as it is, such as a completion script. */
export interface TextResult {
  kind: 'text';
  text: string;
}

// biome-ignore lint/suspicious/noExplicitAny: a printer takes lists of any item
type AnyList = ListResult<any>;
// biome-ignore lint/suspicious/noExplicitAny: and any record
type AnyRecord = RecordResult<any>;

export type Result = AnyList | AnyRecord | ReportResult | NoResult | TextResult | JsonResult;

export const list = <T>(result: Omit<ListResult<T>, 'kind'>): ListResult<T> => ({
  kind: 'list',
  ...result,
});
export const one = <T extends object>(result: Omit<RecordResult<T>, 'kind'>): RecordResult<T> => ({
  kind: 'record',
  ...result,
});
export const report = (result: Omit<ReportResult, 'kind'>): ReportResult => ({
  kind: 'report',
  ...result,
});
export const json = (value: unknown, more: Pick<JsonResult, 'head' | 'open'> = {}): JsonResult => ({
  kind: 'json',
  value,
  ...more,
});
export const noResult = (exitReason?: ExitReason): NoResult =>
  exitReason ? { kind: 'none', exitReason } : { kind: 'none' };

/** One page, for lists that come whole. */
export async function* onePage<T>(items: readonly T[]): AsyncGenerator<ListPage<T>> {
  yield { items };
}
