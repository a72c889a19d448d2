// Reads and writes state files: YAML, and therefore also JSON.
import { type Document, isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml';
import { usageError } from '../../core/errors.ts';
import type { SandboxState } from './schema.ts';
import { findValidationErrors, formatPath } from './validation-errors.ts';

/** Parses a state file. Throws one usage error that lists every error as `file:line:column: message`. */
export function readState(text: string, file: string): SandboxState {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const locate = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const syntaxErrors = document.errors.map(({ pos, message }) => `${locate(pos[0])}: ${message}`);
  if (syntaxErrors.length > 0) throw invalidStateError(file, syntaxErrors);
  const value: unknown = document.toJS();
  const errors = findValidationErrors(value).map(
    ({ path, message }) =>
      `${locate(offsetOf(document, path))}: ${[formatPath(path), message].filter(Boolean).join(' ')}`,
  );
  if (errors.length > 0) throw invalidStateError(file, errors);
  return value as SandboxState;
}

export const writeState = (state: SandboxState): string =>
  stringify(state, { lineWidth: 0, aliasDuplicateObjects: false });

/** Returns the text offset of a path: of its key, else of its value, else of the nearest parent that exists. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
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
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

const invalidStateError = (file: string, lines: readonly string[]) =>
  usageError(`${file} is not a valid state file.`, {
    fieldErrors: lines.map((message) => ({ field: '', message })),
    hint: 'Fix the file, or write a valid one.',
    next: ['svc sandbox export --reveal'],
  });
