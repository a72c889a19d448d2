// Validates payloads against the JSON Schema of their workflow, and other values against other schemas.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

const settings = {
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  // Optimizing takes three quarters of the time of a compilation, and a schema is compiled for few values.
  code: { optimize: false },
} as const;

const ajv = new Ajv({ ...settings, useDefaults: true });
addFormats.default(ajv);

const maxCompiled = 200;

/** Keyed by the text of the schema, so that equal schemas are compiled once. */
function createCompiler(library: Ajv) {
  const compiled = new Map<string, ValidateFunction>();
  return (schema: Record<string, unknown>): ValidateFunction => {
    const text = JSON.stringify(schema);
    const cached = compiled.get(text);
    if (cached) return cached;
    const { $id: _, ...anonymous } = schema;
    const validate = library.compile(anonymous);
    if (compiled.size >= maxCompiled) compiled.clear();
    compiled.set(text, validate);
    return validate;
  };
}

const compileSchema = createCompiler(ajv);

interface PayloadRules {
  validatePayload?: boolean | undefined;
  payloadSchema?: Record<string, unknown> | null | undefined;
}

/** Returns an empty list if the workflow does not validate payloads. */
export function payloadErrors(
  { validatePayload, payloadSchema }: PayloadRules,
  payload: unknown,
): string[] {
  if (!validatePayload || !payloadSchema) return [];
  try {
    const validate = compileSchema(payloadSchema);
    if (validate(payload)) return [];
    const messages = (validate.errors ?? []).map(
      ({ instancePath, message = 'is invalid', params }) =>
        `${fieldName(instancePath, params)}: ${message}${unexpectedProperty(params)}`,
    );
    return [`Payload validation failed: ${messages.join('; ')}`];
  } catch (error) {
    return [`payloadSchema ${error instanceof Error ? error.message : 'is invalid'}`];
  }
}

/** `root.count` for a missing member, else the path of the invalid value. */
function fieldName(instancePath: string, { missingProperty }: Record<string, unknown>): string {
  const path = instancePath.slice(1).replaceAll('/', '.');
  if (typeof missingProperty === 'string') return `${path || 'root'}.${missingProperty}`;
  return path || 'root';
}

/** Names the unexpected property, because Ajv's message does not. */
const unexpectedProperty = ({ additionalProperty }: Record<string, unknown>) =>
  typeof additionalProperty === 'string' ? `: ${additionalProperty}` : '';

/** Checks values as they are, without filling in defaults. */
const checker = new Ajv(settings);
addFormats.default(checker);
const compileForCheck = createCompiler(checker);

/** The mistakes of a value, each with its path and the rule that it breaks. */
export function schemaErrors(schema: Record<string, unknown>, value: unknown): ErrorObject[] {
  const validate = compileForCheck(schema);
  return validate(value) ? [] : [...(validate.errors ?? [])];
}

/** Whether it can be used as a JSON Schema. */
export function isJsonSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    new Ajv({ strict: false, logger: false }).compile(value);
    return true;
  } catch {
    return false;
  }
}
