// The field names in the responses of an operation, taken from its schema. For a listing, the fields of one item.
import { asObject, type JsonObject } from '../core/objects.ts';
import { type OperationId, record } from '../service/operations/index.ts';

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
  const known = visited.get(schema);
  if (known) return known;
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
