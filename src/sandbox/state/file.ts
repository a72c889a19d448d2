// Reads and writes state files: YAML, and therefore also JSON.
import { usageError } from '../../core/errors.ts';
import { pathText } from '../../core/text.ts';
import { parseYaml, writeYaml } from '../../core/yaml.ts';
import { takeItemLines } from './item-lines.ts';
import type { SandboxState } from './schema.ts';
import { findValidationErrors } from './validation-errors.ts';

/** Parses a state file. Throws one usage error that lists every error as `file:line:column: message`. */
export function readState(text: string, file: string): SandboxState {
  const lines = takeItemLines(text);
  const { value, errors: syntaxErrors, locate } = parseYaml(lines.rest);
  if (syntaxErrors.length > 0)
    throw invalidStateError(
      file,
      syntaxErrors.map((error) => `${file}:${error}`),
    );
  lines.addTo(value);
  const errors = findValidationErrors(value).map(({ path, message }) => {
    const place = lines.locate(path) ?? locate(path);
    return `${file}:${place}: ${[pathText(path), message].filter(Boolean).join(' ')}`;
  });
  if (errors.length > 0) throw invalidStateError(file, errors);
  return value as SandboxState;
}

export const writeState = (state: SandboxState): string => writeYaml(state);

/** Checks a state that is not in a file. Throws one usage error that lists every error. */
export function checkState(value: unknown, name: string): SandboxState {
  const errors = findValidationErrors(value).map(({ path, message }) =>
    [pathText(path), message].filter(Boolean).join(' '),
  );
  if (errors.length > 0)
    throw usageError(`${name} is not a valid state.`, {
      fieldErrors: errors.map((message) => ({ field: '', message })),
    });
  return value as SandboxState;
}

const invalidStateError = (file: string, lines: readonly string[]) =>
  usageError(`${file} is not a valid state file.`, {
    fieldErrors: lines.map((message) => ({ field: '', message })),
    hint: 'Fix the file, or write a valid one.',
    next: ['svc sandbox export --reveal'],
  });
