// The fields of a request body, taken from its schema. Commands use them to offer one option for each field.
import { type OperationId, record } from './operations/index.ts';

/** Name and JSON type (`string`, `boolean`, `object`, …) of each field. */
export type BodyFields = Record<string, string>;

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
}

/** Returns the fields of `member` in an operation's body, or of the whole body if no member is given. */
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
