// The operation registry as plain data, for `svc schema`.
import { usageError } from '../core/errors.ts';
import { currentIds, type OperationId, operationIds, record } from '../service/operations/index.ts';

/** One operation with the JSON Schemas of its query, request body and response body (`answer`). */
export interface OperationDescription {
  operation: string;
  method: string;
  path: string;
  summary: string;
  section: string;
  /** `service`: not in the specification; a server may lack it. */
  source: string;
  success: number;
  paging?: object;
  batch?: object;
  bodyLimit: number;
  query?: unknown;
  body?: unknown;
  answer?: unknown;
}

/** Returns the current operations without schemas, or the named operation with its schemas. */
export async function describeOperations(id?: string): Promise<OperationDescription[]> {
  if (id === undefined) return currentIds.map(summarize);
  const operationId = operationIds.find((known) => known.toLowerCase() === id.toLowerCase());
  if (!operationId) {
    throw usageError(`Unknown operation \`${id}\`.`, {
      suggestion: { input: id, candidates: operationIds },
      next: ['svc schema'],
    });
  }
  const { toJSONSchema } = await import('zod');
  const { response, ...request } = await record(operationId).schemas();
  const schemas = Object.entries({ ...request, answer: response }).map(([part, schema]) => [
    part,
    toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
  ]);
  return [{ ...summarize(operationId), ...Object.fromEntries(schemas) }];
}

function summarize(id: OperationId): OperationDescription {
  const { method, path, summary, section, source, success, paging, batch, bodyLimit } = record(id);
  return {
    operation: id,
    method,
    path,
    summary,
    section,
    source,
    success,
    ...(paging ? { paging } : {}),
    ...(batch ? { batch } : {}),
    bodyLimit,
  };
}
