// The printer settings, and what all formats share: masking, `--fields`, JSON with jq, YAML.
import type { Context } from '../app/context.ts';
import { stringifyExact } from '../core/lossless-json.ts';
import type { FieldCheck } from './fields.ts';
import { pick } from './fields.ts';
import type { formats } from './formats.ts';
import type { Jq } from './jq.ts';
import { masked } from './mask.ts';
import { hasUnsafeCharacter, safeMultilineText } from './safe-text.ts';
import type { Style } from './style.ts';

export type Format = (typeof formats)[number];

export interface Printer {
  /** Writes to standard output. Rejects if the pipe is closed. */
  write(text: string): Promise<void>;
  /** Writes a line to standard error, unless hints are off. */
  hint(text: string): void;
  /** Proposes a command to run next. With a purpose, people read both as a hint. */
  next(command: string, purpose?: string): void;
  isTty: boolean;
  /** The requested format. If absent, a table on a terminal and tab-separated lines otherwise. */
  format?: Format;
  fields?: readonly string[];
  /** How the names in `fields` are checked. */
  fieldCheck?: FieldCheck;
  jq?: Jq;
  header: boolean;
  reveal: boolean;
  csvSafe: boolean;
  /** Width of a table in columns; infinite for `wide`. */
  width: number;
  /** The width at which sentences are broken. If absent, each one is a single line. */
  messageWidth?: number;
  style: Style;
  /** False with --no-unicode. */
  unicode: boolean;
  /** The time that relative times count from: the service's, where its responses show it. */
  now: () => number;
}

export const isWide = ({ format }: Pick<Printer, 'format'>) => format === 'wide';

/** The effective format: `lines` is the tab-separated default of a pipe. */
export type Shape = Exclude<Format, 'wide'> | 'lines';

export function chooseShape({
  format,
  jq,
  isTty,
}: {
  format?: Format | undefined;
  jq?: unknown;
  isTty: boolean;
}): Shape {
  if (jq !== undefined && format !== 'ndjson') return 'json';
  if (format === 'wide') return 'table';
  return format ?? (isTty ? 'table' : 'lines');
}

/** The effective format of the command's result. */
export const outputShape = (
  { settings, globals, host }: Pick<Context, 'settings' | 'globals' | 'host'>,
  defaultFormat?: Format,
): Shape =>
  chooseShape({
    format: settings.output ?? defaultFormat,
    jq: globals.jq,
    isTty: host.stdout.isTty,
  });

/** Masks the secrets of a value and reduces it to `--fields`. */
export function maskAndPick(value: unknown, { reveal, fields }: Printer): unknown {
  const open = reveal ? value : masked(value);
  if (!fields || typeof open !== 'object' || open === null) return open;
  return Array.isArray(open) ? open.map((item) => pick(item, fields)) : pick(open, fields);
}

/** JSON text with a line feed, or the output of jq for it. */
export async function jsonText(value: unknown, printer: Printer, indent?: number): Promise<string> {
  const text = stringifyExact(value, printer.jq === undefined ? indent : undefined);
  return printer.jq === undefined ? `${text}\n` : printer.jq(text);
}

/** Text with unsafe characters is in quotes, in which YAML can escape them. */
export async function yamlText(value: unknown): Promise<string> {
  const { writeYaml } = await import('../core/yaml.ts');
  return safeMultilineText(writeYaml(value, { mustQuote: hasUnsafeCharacter }));
}
