// Records keys and ids from responses for Tab completion, and saves them when the command is finished.
import type { OperationId } from '../api/operations/index.ts';
import { addValues, maxValues } from './cache.ts';
import { extractValues, type NamedValue } from './response-values.ts';

/** The latest response of an operation. */
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
  /** Writes the recorded values to the folder. */
  save(folder: () => string): void;
}

export function createCompletionRecorder(): CompletionRecorder {
  const recorded = new Map<NamedValue['kind'], NamedValue[]>();
  let last: LastResponse | undefined;
  return {
    last: () => last,
    record(id, input, response) {
      last = { id, response };
      for (const one of extractValues(id, input, response)) {
        const values = recorded.get(one.kind) ?? [];
        if (values.length === 0) recorded.set(one.kind, values);
        if (values.length < maxValues) values.push(one);
      }
    },
    save(folder) {
      for (const [kind, values] of recorded) addValues(folder(), kind, values);
    },
  };
}
