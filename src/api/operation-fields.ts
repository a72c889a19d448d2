// The fields of a request body, taken from its schema. Commands use them to offer one option for each field.

import { usageError } from '../core/errors.ts';
import { asObject, type JsonObject } from '../core/objects.ts';
import { currentIds, type OperationId, operationIds, record } from '../service/operations/index.ts';

/** Name and JSON type (`string`, `boolean`, `object`, …) of each field. */
export type BodyFields = Record<string, string>;

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
}

/** Returns the fields of an operation's request body, or of the object in its field `fieldName`. */
export async function bodyFields(id: OperationId, fieldName?: string): Promise<BodyFields> {
  const { body } = await record(id).schemas();
  if (!body) return {};
  const { toJSONSchema } = await import('zod');
  const schema = toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const objectSchema = fieldName === undefined ? schema : schema.properties?.[fieldName];
  return Object.fromEntries(
    Object.entries(objectSchema?.properties ?? {}).map(([name, { type = 'any' }]) => [name, type]),
  );
}

// The field names in the responses of an operation, taken from its schema. For a listing, the fields of one item.

/** The fields that may occur at one place of a response. */
export interface FieldTree {
  members: Record<string, FieldTree>;
  /** The fields below a member with any other name, such as in the `data` of a subscriber. */
  additional?: FieldTree;
}

const anything: FieldTree = { members: {} };
anything.additional = anything;

/** Returns the fields of the record that the operation returns; for a listing, of one item. */
export async function responseFields(id: OperationId): Promise<FieldTree> {
  const { paging, schemas } = record(id);
  const { toJSONSchema } = await import('zod');
  const { response } = await schemas();
  const root = toJSONSchema(response, { io: 'output', unrepresentable: 'any' }) as JsonObject;
  const tree = fieldTree(root, root, new Map());
  return paging ? (tree.members[paging.items] ?? anything) : tree;
}

/** Arrays add no level: a path such as `jobs.status` addresses the fields of the elements. */
function fieldTree(
  schema: JsonObject,
  root: JsonObject,
  visited: Map<JsonObject, FieldTree>,
): FieldTree {
  const earlier = visited.get(schema);
  if (earlier) return earlier;
  const tree: FieldTree = { members: Object.create(null) };
  visited.set(schema, tree);
  const merge = (part: FieldTree) => {
    for (const [name, member] of Object.entries(part.members)) tree.members[name] ??= member;
    if (part.additional) tree.additional ??= part.additional;
  };
  const subtree = (part: unknown) => fieldTree(asObject(part), root, visited);
  if (typeof schema.$ref === 'string') merge(subtree(resolveReference(schema.$ref, root)));
  for (const part of [schema.anyOf, schema.oneOf, schema.allOf])
    if (Array.isArray(part)) for (const element of part) merge(subtree(element));
  if (schema.items !== undefined) merge(subtree(schema.items));
  const properties = Object.entries(asObject(schema.properties));
  for (const [name, member] of properties) tree.members[name] ??= subtree(member);
  const rest = schema.additionalProperties;
  // Response schemas allow additional properties everywhere. Only an object without named members accepts any field.
  if (properties.length === 0 && rest !== undefined && rest !== false)
    tree.additional ??= subtree(rest);
  if (Object.keys(schema).length === 0) tree.additional = anything;
  return tree;
}

const resolveReference = (reference: string, root: JsonObject): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((node, name) => asObject(node)[name], root);

// The operation registry as plain data, for `svc schema`.

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
  const operationId = operationIds.find(
    (candidate) => candidate.toLowerCase() === id.toLowerCase(),
  );
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
