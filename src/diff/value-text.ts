// Formats values for a diff: short ones on one line, documents and long HTML on several.
import { stringifyExact } from '../core/lossless-json.ts';

/** HTML lines longer than this are shown with one element per line. */
const longLine = 72;

/** A value on one line. */
export const inlineText = (value: unknown): string => stringifyExact(value);

/**
 * The texts of two values for comparing them line by line. They are reformatted only as far as the difference stays
 * visible.
 */
export function comparableTexts(from: unknown, to: unknown): [string, string] {
  const readable = [readableText(from), readableText(to)] as const;
  return readable[0] === readable[1] ? [rawText(from), rawText(to)] : [...readable];
}

/** A value on as many lines as it is readable on. */
export function readableText(value: unknown): string {
  const text = rawText(value);
  const document = typeof value === 'string' ? parsedDocument(value) : undefined;
  if (document !== undefined) return JSON.stringify(document, undefined, 2);
  const isLongHtml = text.split('\n').some((line) => line.length > longLine) && text.includes('><');
  return (isLongHtml ? text.replaceAll('><', '>\n<') : text).replaceAll('\t', '    ');
}

function rawText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  const short = inlineText(value);
  return short.length <= longLine ? short : (JSON.stringify(value, undefined, 2) ?? short);
}

/** A block document, or other JSON in a text. */
function parsedDocument(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
