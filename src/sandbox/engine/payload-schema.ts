// Checks a payload against the JSON schema of its workflow.
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { StoredWorkflow } from '../store/workflows.ts';

const ajv = new Ajv({ strict: false, allErrors: true, logger: false, validateSchema: false });
addFormats.default(ajv);

// By the text of the schema: equal schemas are compiled once.
const compiled = new Map<string, ValidateFunction>();
const mostCompiled = 200;

function validatorOf(schema: Record<string, unknown>): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known) return known;
  const { $id: _, ...anonymous } = schema;
  const made = ajv.compile(anonymous);
  if (compiled.size >= mostCompiled) compiled.clear();
  compiled.set(text, made);
  return made;
}

/** What is wrong with a payload; nothing when its workflow does not check it. */
export function payloadComplaints(
  { validatePayload, payloadSchema }: StoredWorkflow,
  payload: Record<string, unknown>,
): string[] {
  if (!validatePayload || payloadSchema === null) return [];
  try {
    const validate = validatorOf(payloadSchema);
    if (validate(payload)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message = 'is invalid', params }) =>
        `payload${instancePath.replaceAll('/', '.')} ${message}${extra(params)}`,
    );
  } catch (error) {
    return [`payloadSchema ${error instanceof Error ? error.message : 'is invalid'}`];
  }
}

/** The member that should not be there; the message alone does not name it. */
const extra = ({ additionalProperty }: Record<string, unknown>) =>
  typeof additionalProperty === 'string' ? `: ${additionalProperty}` : '';
