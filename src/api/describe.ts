// The registry as plain data, for people and programs that want to know what can be asked.
import { usageError } from '../core/errors.ts';
import { type OperationId, operationIds, record } from './operations/index.ts';

/** One operation with the JSON Schemas of its query, body and answer. */
export interface OperationDescription {
  operation: string;
  method: string;
  path: string;
  summary: string;
  section: string;
  success: number;
  paging?: object;
  batch?: object;
  bodyLimit: number;
  query?: unknown;
  body?: unknown;
  answer?: unknown;
}

/** Every operation without schemas, or the named one with them. */
export async function describeOperations(id?: string): Promise<OperationDescription[]> {
  if (id === undefined) return operationIds.map(factsOf);
  const found = operationIds.find((known) => known.toLowerCase() === id.toLowerCase());
  if (!found) {
    throw usageError(`There is no operation \`${id}\`.`, {
      suggestion: { input: id, candidates: operationIds },
      next: ['svc schema'],
    });
  }
  const { toJSONSchema } = await import('zod');
  const schemas = Object.entries(await record(found).schemas()).map(([part, schema]) => [
    part,
    toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  ]);
  return [{ ...factsOf(found), ...Object.fromEntries(schemas) }];
}

function factsOf(id: OperationId): OperationDescription {
  const { method, path, summary, section, success, paging, batch, bodyLimit } = record(id);
  return {
    operation: id,
    method,
    path,
    summary,
    section,
    success,
    ...(paging ? { paging } : {}),
    ...(batch ? { batch } : {}),
    bodyLimit,
  };
}
