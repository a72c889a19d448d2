// The fields of a request body as the schema has them, for commands that take them one by one.
import { type OperationId, record } from './operations/index.ts';

/** Name and JSON type (`string`, `boolean`, `object`, …) of each field. */
export type BodyFields = Record<string, string>;

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
}

/** The fields below a member of an operation's body; of the body itself when no member is named. */
export async function bodyFields(id: OperationId, member?: string): Promise<BodyFields> {
  const { body } = await record(id).schemas();
  if (!body) return {};
  const { toJSONSchema } = await import('zod');
  const schema = toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  const found = member === undefined ? schema : schema.properties?.[member];
  return Object.fromEntries(
    Object.entries(found?.properties ?? {}).map(([name, { type = 'any' }]) => [name, type]),
  );
}
