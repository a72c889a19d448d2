// The fields of a request body, taken from its schema. Commands use them to offer one option for each field.
import { type OperationId, record } from '../service/operations/index.ts';

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
