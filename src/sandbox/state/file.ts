// A state as a YAML file (JSON is YAML, too): reading it with places for its mistakes, writing it.
import { type Document, isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml';
import { usageError } from '../../core/errors.ts';
import type { SandboxState } from './schema.ts';
import { findValidationErrors, formatPath } from './validation-errors.ts';

/** Reads a state file. All its mistakes are told at once, as `file:line:column: what is wrong`. */
export function readState(text: string, file: string): SandboxState {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  const unreadable = document.errors.map(({ pos, message }) => `${place(pos[0])}: ${message}`);
  if (unreadable.length > 0) throw invalidStateError(file, unreadable);
  const value: unknown = document.toJS();
  const wrong = findValidationErrors(value).map(
    ({ path, message }) =>
      `${place(offsetOf(document, path))}: ${[formatPath(path), message].filter(Boolean).join(' ')}`,
  );
  if (wrong.length > 0) throw invalidStateError(file, wrong);
  return value as SandboxState;
}

export const writeState = (state: SandboxState): string =>
  stringify(state, { lineWidth: 0, aliasDuplicateObjects: false });

/** Where a path stands: its key, its value, or what is around it when it is missing. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  const last = path.at(-1);
  const holder = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  if (isMap(holder)) {
    const pair = holder.items.find(({ key }) => isScalar(key) && key.value === last);
    if (pair && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
  }
  const node = document.getIn(path, true);
  if (typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)) {
    return Number(node.range[0]);
  }
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}

const invalidStateError = (file: string, lines: readonly string[]) =>
  usageError(`${file} cannot be used as a seed.`, {
    fieldErrors: lines.map((message) => ({ field: '', message })),
    hint: '`svc sandbox export --reveal` writes such a file.',
  });
