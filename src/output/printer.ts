// How and where to print, and what every format shares: masking, `--fields`, JSON with jq, YAML.
import type { ScalarTag } from 'yaml';
import { isExact } from '../core/lossless-json.ts';
import type { FieldCheck } from './field-check.ts';
import { pick } from './fields.ts';
import type { formats } from './formats.ts';
import type { Jq } from './jq.ts';
import { toJson } from './json.ts';
import { masked } from './mask.ts';
import type { Style } from './style.ts';

export type Format = (typeof formats)[number];

/** How and where to print. */
export interface Printer {
  /** Writes to standard output; rejects when the reader has gone. */
  write(text: string): Promise<void>;
  /** Writes a line to standard error, unless hints are off. */
  hint(text: string): void;
  isTty: boolean;
  /** The format asked for; absent: a table on a terminal, tab-separated lines otherwise. */
  format?: Format;
  fields?: readonly string[];
  /** How the names in `fields` are checked. */
  fieldCheck?: FieldCheck;
  jq?: Jq;
  header: boolean;
  reveal: boolean;
  csvSafe: boolean;
  /** Columns of the terminal. */
  width: number;
  style: Style;
  /** The time that relative times count from: the service's, where its responses show it. */
  now: () => number;
}

/** What is printed: the format asked for, a table on a terminal, tab-separated lines in a pipe. */
export type Shape = Format | 'lines';

export function shapeOf({ format, jq, isTty }: Printer): Shape {
  if (jq !== undefined && format !== 'ndjson') return 'json';
  return format ?? (isTty ? 'table' : 'lines');
}

/** A value as programs may see it: masked, and cut to `--fields`. */
export function clean(value: unknown, { reveal, fields }: Printer): unknown {
  const open = reveal ? value : masked(value);
  if (!fields || typeof open !== 'object' || open === null) return open;
  return Array.isArray(open) ? open.map((item) => pick(item, fields)) : pick(open, fields);
}

/** JSON text with its line feed, or what jq makes of it. */
export async function jsonText(value: unknown, printer: Printer, indent?: number): Promise<string> {
  const text = await toJson(value, printer.jq === undefined ? indent : undefined);
  return printer.jq === undefined ? `${text}\n` : printer.jq(text);
}

export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0, customTags: (tags) => [exactNumber, ...tags] });
}

/** A number that a double cannot hold: its digits as they came. */
const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isExact,
  resolve: String,
  stringify: ({ value }) => String(value),
};
