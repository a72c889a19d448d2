// Records keys and ids from responses for Tab completion, and saves them when the command is finished.
import type { OperationId } from '../service/operations/index.ts';
import { addValues, maxValues } from './add-values.ts';
import { extractValues, type NamedValue } from './response-values.ts';

/** The most recent response of the command, with the operation that returned it. */
export interface LastResponse {
  operationId: OperationId;
  response: unknown;
}

export interface CompletionRecorder {
  record(
    operationId: OperationId,
    input: { path?: Record<string, string>; body?: unknown },
    response: unknown,
  ): void;
  lastResponse(): LastResponse | undefined;
  /** Writes the recorded values to the folder. */
  save(folder: () => string): void;
}

export function createCompletionRecorder(): CompletionRecorder {
  const recorded = new Map<NamedValue['kind'], NamedValue[]>();
  let last: LastResponse | undefined;
  return {
    lastResponse: () => last,
    record(operationId, input, response) {
      last = { operationId, response };
      for (const value of extractValues(operationId, input, response)) {
        const values = recorded.get(value.kind) ?? [];
        if (values.length === 0) recorded.set(value.kind, values);
        if (values.length < maxValues) values.push(value);
      }
    },
    save(folder) {
      for (const [kind, values] of recorded) addValues(folder(), kind, values);
    },
  };
}
