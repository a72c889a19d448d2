// Reads and writes YAML 1.2. The only user of the YAML library, which is large: import this module on demand.
import { Document, isMap, isScalar, LineCounter, parseDocument, type ScalarTag, visit } from 'yaml';
import { errorMessage } from './errors.ts';

import { isExactNumber } from './lossless-json.ts';
import { parseValues } from './lossless-json-parser.ts';

export interface ParsedYaml {
  value: unknown;
  /** Syntax errors, each with its place as `line:column: message`. */
  errors: string[];
  /** Returns `line:column` of a path: of its key, its value or the nearest parent, whichever exists first. */
  locate(path: readonly PropertyKey[]): string;
}

/** Parses one document. Numbers that a double cannot represent keep their value. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${line}:${col}`;
  };
  const errors = document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`);
  visit(document, {
    Alias(_key, alias, path) {
      const isCycle = path.some((node) => node === alias.resolve(document));
      if (isCycle)
        errors.push(`${place(alias.range?.[0] ?? 0)}: *${alias.source} is inside its own value`);
    },
  });
  if (errors.length > 0) return { value: undefined, errors, locate: () => place(0) };
  keepExactNumbers(document);
  try {
    const locate = (path: readonly PropertyKey[]) => place(findOffset(document, path));
    return { value: document.toJS(), errors, locate };
  } catch (error) {
    // Too many aliases, or an alias without anchor.
    const message = errorMessage(error);
    return { value: undefined, errors: [`1:1: ${message}`], locate: () => place(0) };
  }
}

/**
 * Writes long strings on one line and no aliases. Exact numbers keep their digits. With `blockQuote: false`, strings
 * with line breaks are written in quotes, so that every character is visible. `mustQuote` says which other texts are
 * written in double quotes.
 */
export function writeYaml(
  value: unknown,
  {
    blockQuote = true,
    mustQuote,
  }: { blockQuote?: boolean; mustQuote?: (text: string) => boolean } = {},
): string {
  const document = new Document(value, {
    aliasDuplicateObjects: false,
    customTags: (tags) => [exactNumber, ...tags],
  });
  if (mustQuote) quoteScalars(document, mustQuote);
  return document.toString({ lineWidth: 0, blockQuote });
}

function quoteScalars(document: Document, mustQuote: (text: string) => boolean): void {
  visit(document, {
    Scalar(_key, node) {
      if (typeof node.value === 'string' && mustQuote(node.value)) node.type = 'QUOTE_DOUBLE';
    },
  });
}

const exactNumber: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: isExactNumber,
  resolve: String,
  stringify: ({ value }) => String(value),
};

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

function keepExactNumbers(document: Document): void {
  visit(document, {
    Scalar(_key, node) {
      const { value, source } = node;
      if (typeof value !== 'number' || source === undefined || !jsonNumber.test(source)) return;
      if (String(value) !== source) node.value = parseValues(source);
    },
  });
}

function findOffset(document: Document, path: readonly PropertyKey[]): number {
  const last = path.at(-1);
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (isMap(parent)) {
    const pair = parent.items.find(({ key }) => isScalar(key) && key.value === last);
    if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = document.getIn(path, true);
  if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
    return Number(node.range[0]);
  }
  return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1));
}
