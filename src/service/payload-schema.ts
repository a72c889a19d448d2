// Validates payloads against the JSON Schema of their workflow, and other values against other schemas.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import { matchesInTime } from '../core/bounded-regexp.ts';
import { errorMessage } from '../core/errors.ts';
import { valueAt } from '../core/objects.ts';

type Rule = { pattern: string } | { format: string };

/** The rules that took too long for a text, during a validation. */
const slowRules = new Map<RegExp, Rule>();

/** Counts a text as not matching if that takes too long to find out. `validationErrors` reports it. */
function testInTime(regExp: RegExp, text: string, rule: Rule): boolean {
  const isMatch = matchesInTime(regExp, text);
  if (isMatch === undefined) slowRules.set(regExp, rule);
  return isMatch ?? false;
}

const createRegExp = Object.assign(
  (pattern: string, flags: string) => {
    const regExp = new RegExp(pattern, flags);
    // Ajv identifies it by its text.
    const test = (text: string) => testInTime(regExp, text, { pattern });
    return { test, toString: () => String(regExp) };
  },
  { code: 'createRegExp' },
);

const settings = {
  strict: false,
  allErrors: true,
  logger: false,
  validateSchema: false,
  // Optimizing takes three quarters of the time of a compilation, and a schema is compiled for few values.
  code: { optimize: false, regExp: createRegExp },
} as const;

/** The patterns of formats take too long only for long texts. */
const quickLength = 1_000;

function openLibrary(more: object = {}): Ajv {
  const library = new Ajv({ ...settings, ...more });
  addFormats.default(library);
  for (const [name, format] of Object.entries(library.formats))
    if (format instanceof RegExp)
      library.addFormat(name, (text: string) =>
        text.length <= quickLength ? format.test(text) : testInTime(format, text, { format: name }),
      );
  return library;
}

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

const compileSchema = createCompiler(openLibrary({ useDefaults: true }));

interface PayloadRules {
  validatePayload?: boolean | undefined;
  payloadSchema?: Record<string, unknown> | null | undefined;
}

export interface PayloadProblem {
  /** `root.count` for a missing member, else the path of the invalid value. */
  field: string;
  message: string;
  value?: unknown;
  schemaPath?: string;
  /** Which property is unexpected: the message of Ajv does not say it. */
  unexpected?: string;
}

/** Fills in the defaults of the schema. Finds nothing if the workflow does not validate payloads. */
export function payloadProblems(
  { validatePayload, payloadSchema }: PayloadRules,
  payload: unknown,
): PayloadProblem[] {
  if (!validatePayload || !payloadSchema) return [];
  try {
    return validationErrors(compileSchema(payloadSchema), payload).map(
      ({ instancePath, message = 'is invalid', params, schemaPath }) => {
        const path = instancePath.slice(1).replaceAll('/', '.');
        const field = [path || 'root', params.missingProperty ?? []].flat().join('.');
        const value = path ? valueAt(payload, path) : payload;
        return { field, message, value, schemaPath, unexpected: params.additionalProperty };
      },
    );
  } catch (error) {
    return [{ field: 'payloadSchema', message: errorMessage(error) }];
  }
}

export const payloadText = (problems: readonly PayloadProblem[]) =>
  `Payload validation failed: ${problems.map(({ field, message }) => `${field}: ${message}`).join('; ')}`;

/** At most one text, which says more than the service. */
export function payloadErrors(rules: PayloadRules, payload: unknown): string[] {
  const problems = payloadProblems(rules, payload).map(({ message, unexpected = [], ...rest }) => ({
    ...rest,
    message: [message, unexpected].flat().join(': '),
  }));
  return problems.length === 0 ? [] : [payloadText(problems)];
}

/** Checks values as they are, without filling in defaults. */
const compileForCheck = createCompiler(openLibrary());

/** The mistakes of a value, each with its path and the rule that it breaks. */
export function schemaErrors(schema: Record<string, unknown>, value: unknown): ErrorObject[] {
  return validationErrors(compileForCheck(schema), value);
}

/** A rule that takes too long is an error, also where the schema wants a text not to match. */
function validationErrors(validate: ValidateFunction, value: unknown): ErrorObject[] {
  slowRules.clear();
  const errors = validate(value) ? [] : [...(validate.errors ?? [])];
  for (const params of slowRules.values()) {
    const [[keyword = '', name] = []] = Object.entries(params);
    const broken = errors.filter(({ params: rule }) => rule[keyword] === name);
    for (const error of broken) error.message += ', which takes too long for some texts';
    const message = `the ${keyword} ${JSON.stringify(name)} takes too long`;
    if (broken.length === 0)
      errors.push({ instancePath: '', schemaPath: '#', keyword, params, message });
  }
  return errors;
}

/** Shared, because it compiles the schema of schemas, which takes milliseconds. */
const metaLibrary = new Ajv({ strict: false, logger: false });

/** Whether it can be used as a JSON Schema. */
export function isJsonSchema(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  try {
    if (!metaLibrary.validateSchema(value)) return false;
    new Ajv(settings).compile(value);
    return true;
  } catch {
    return false;
  }
}
