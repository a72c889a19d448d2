// What answers name is kept for Tab, when the command is over.

import type { OperationId } from '../api/operations/index.ts';
import { mostValues, rememberValues } from './cache.ts';
import { type NamedValue, namedValues } from './response-values.ts';

/** The newest answer of an operation. */
export interface LastAnswer {
  id: OperationId;
  answer: unknown;
}

export interface ValueMemory {
  answered(
    id: OperationId,
    input: { path?: Record<string, string>; body?: unknown },
    answer: unknown,
  ): void;
  last(): LastAnswer | undefined;
  /** Writes what was met into the folder. */
  save(folder: () => string): void;
}

export function createValueMemory(): ValueMemory {
  const met = new Map<NamedValue['kind'], NamedValue[]>();
  let last: LastAnswer | undefined;
  return {
    last: () => last,
    answered(id, input, answer) {
      last = { id, answer };
      for (const one of namedValues(id, input, answer)) {
        const known = met.get(one.kind) ?? [];
        if (known.length === 0) met.set(one.kind, known);
        if (known.length < mostValues) known.push(one);
      }
    },
    save(folder) {
      for (const [kind, values] of met) rememberValues(folder(), kind, values);
    },
  };
}
