// What answers name is kept for Tab, when the command is over.

import type { OperationId } from '../api/operations/index.ts';
import { addValues, maxValues } from './cache.ts';
import { extractValues, type NamedValue } from './response-values.ts';

/** The newest answer of an operation. */
export interface LastResponse {
  id: OperationId;
  response: unknown;
}

export interface CompletionRecorder {
  record(
    id: OperationId,
    input: { path?: Record<string, string>; body?: unknown },
    response: unknown,
  ): void;
  last(): LastResponse | undefined;
  /** Writes what was met into the folder. */
  save(folder: () => string): void;
}

export function createCompletionRecorder(): CompletionRecorder {
  const met = new Map<NamedValue['kind'], NamedValue[]>();
  let last: LastResponse | undefined;
  return {
    last: () => last,
    record(id, input, response) {
      last = { id, response };
      for (const one of extractValues(id, input, response)) {
        const known = met.get(one.kind) ?? [];
        if (known.length === 0) met.set(one.kind, known);
        if (known.length < maxValues) known.push(one);
      }
    },
    save(folder) {
      for (const [kind, values] of met) addValues(folder(), kind, values);
    },
  };
}
