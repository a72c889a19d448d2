// The names of the fields in the responses of an operation, from its schema. Of a listing, those of an item.
import { type OperationId, record } from './operations/index.ts';

/** What a place in a response may hold: members by name, or anything. */
export interface FieldTree {
  members: Record<string, FieldTree>;
  /** Members of any name, such as the data of a subscriber. */
  others?: FieldTree;
}

type JsonSchema = Record<string, unknown>;

const anything: FieldTree = { members: {} };
anything.others = anything;

/** The fields of one item or record that the operation answers with. */
export async function answerFields(id: OperationId): Promise<FieldTree> {
  const { paging, schemas } = record(id);
  const { toJSONSchema } = await import('zod');
  const { answer } = await schemas();
  const root = toJSONSchema(answer, { io: 'output', unrepresentable: 'any' }) as JsonSchema;
  const whole = treeOf(root, root, new Map());
  return paging ? (whole.members[paging.items] ?? anything) : whole;
}

/** Arrays are left out: a path steps into their elements. */
function treeOf(schema: JsonSchema, root: JsonSchema, met: Map<JsonSchema, FieldTree>): FieldTree {
  const known = met.get(schema);
  if (known) return known;
  const tree: FieldTree = { members: Object.create(null) };
  met.set(schema, tree);
  const include = (part: FieldTree) => {
    for (const [name, member] of Object.entries(part.members)) tree.members[name] ??= member;
    if (part.others) tree.others ??= part.others;
  };
  const below = (part: unknown) => treeOf(objectOf(part), root, met);
  if (typeof schema.$ref === 'string') include(below(resolved(schema.$ref, root)));
  for (const part of [schema.anyOf, schema.oneOf, schema.allOf])
    if (Array.isArray(part)) for (const one of part) include(below(one));
  if (schema.items !== undefined) include(below(schema.items));
  const properties = Object.entries(objectOf(schema.properties));
  for (const [name, member] of properties) tree.members[name] ??= below(member);
  const rest = schema.additionalProperties;
  // Every object of a response may have more than its schema says; one without named members holds anything.
  if (properties.length === 0 && rest !== undefined && rest !== false) tree.others ??= below(rest);
  if (Object.keys(schema).length === 0) tree.others = anything;
  return tree;
}

const resolved = (reference: string, root: JsonSchema): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((at, name) => objectOf(at)[name], root);

const objectOf = (value: unknown): JsonSchema =>
  typeof value === 'object' && value !== null ? (value as JsonSchema) : {};
