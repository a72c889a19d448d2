// Issues of a definition by the path of the value, and how the service joins the issues of several checks.

import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import type { StepType } from '../../service/schemas/vocabulary.ts';
import type { StepIssues } from '../../service/schemas/workflows.ts';
import type { Dialect } from '../store/dialect.ts';

export type Issues = NonNullable<StepIssues['controls']>;
export type Issue = Issues[string][number];

/** Issues of a later check replace earlier ones at the same place of the same list. */
export function mergeIssues(...all: readonly Issues[]): Issues {
  const merged: Issues = {};
  for (const issues of all) {
    for (const [path, list] of Object.entries(issues)) {
      const earlier = merged[path] ?? [];
      const replaced = list.map((issue, index) => ({ ...earlier[index], ...issue }));
      merged[path] = [...replaced, ...earlier.slice(list.length)];
    }
  }
  return merged;
}

// The issues of values that break the JSON Schema of their controls, with the messages of the service.

type SchemaError = ReturnType<typeof schemaErrors>[number];

interface CheckedType {
  type: StepType;
  dialect: Pick<Dialect, 'hasExactIssues'>;
}

export function schemaIssues(
  schema: Record<string, unknown> | undefined,
  values: Record<string, unknown>,
  checked: CheckedType,
): Issues {
  if (!schema) return {};
  const { hasExactIssues } = checked.dialect;
  const issues: Issues = {};
  const errors = schemaErrors(schema, values);
  for (const error of hasExactIssues ? exactErrors(errors) : errors) {
    const path = issuePath(error, hasExactIssues);
    const issueType = hasExactIssues ? exactType(error) : 'MISSING_VALUE';
    const issue: Issue = { message: schemaMessage(error, checked), issueType };
    // Older versions report mistakes of the whole under the name "undefined".
    const name = path ?? 'undefined';
    issues[name] ??= [];
    issues[name].push(path === undefined ? issue : { ...issue, variableName: path });
  }
  return issues;
}

/** Without mistakes of the whole, and with one mistake of an address. */
function exactErrors(errors: readonly SchemaError[]): SchemaError[] {
  const located = errors.filter((error) => issuePath(error, true) !== undefined);
  const pathOf = (error: SchemaError) => issuePath(error, true);
  const isFirst = (error: SchemaError) => {
    const same = located.filter((other) => pathOf(other) === pathOf(error));
    return error === (same.find(({ keyword }) => keyword === 'anyOf') ?? same[0]);
  };
  return located.filter((error) => !isOfAddress(error) || isFirst(error));
}

const isOfAddress = (error: SchemaError) =>
  /(?:^|\.)(?:url)$|^(?:avatar|redirect)$/.test(issuePath(error, true) ?? '') ||
  /\/url|^\/(?:avatar|redirect)$/.test(error.instancePath);

function exactType(error: SchemaError): Issue['issueType'] {
  if (error.keyword === 'additionalProperties') return 'UNSUPPORTED_PROPERTY';
  const isAddress = ['pattern', 'anyOf'].includes(error.keyword) && isOfAddress(error);
  return isAddress ? 'INVALID_URL' : 'MISSING_VALUE';
}

function issuePath({ instancePath, params }: SchemaError, isExact: boolean): string | undefined {
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  const named = missingProperty ?? (isExact ? additionalProperty : undefined);
  const path = instancePath.slice(1).replaceAll('/', '.');
  if (path === '') return named;
  return named === undefined ? path : `${path}.${named}`;
}

function schemaMessage(error: SchemaError, { type, dialect }: CheckedType): string {
  const { keyword, instancePath, params, message } = error;
  const { missingProperty = '', additionalProperty } = params as Record<string, string | undefined>;
  // A subject or a body is enough.
  if (keyword === 'required' && type === 'in_app') return 'Subject or body is required';
  if (keyword === 'required') return `${capitalized(missingProperty)} is required`;
  if (keyword === 'minLength') return `${capitalized(instancePath.replace('/', ''))} is required`;
  if (dialect.hasExactIssues && keyword === 'additionalProperties')
    return `"${additionalProperty}" is not a supported property`;
  const isUrl = dialect.hasExactIssues
    ? ['pattern', 'anyOf'].includes(keyword) && isOfAddress(error)
    : keyword === 'pattern' && message?.includes('mailto') && message.includes('https');
  if (isUrl && type === 'http_request')
    return 'Invalid URL. Must be a valid absolute URL (https://...) or {{variable}}';
  if (isUrl) return 'Invalid URL. Must be a valid full URL, path starting with /, or {{variable}}';
  return message ?? 'Invalid value';
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// The issues of control values for people. Those of the service contain the errors of every variant of a digest or delay,
// such as "Cron is required" for a digest of ten minutes, and do not name what is wrong.

/** Like `schemaIssues`, but only with the errors of the variant that the values are meant to be. */
export function readableIssues(
  schema: JsonObject | undefined,
  values: Record<string, unknown>,
  checked: CheckedType,
): Issues {
  if (!schema || checked.type === 'in_app') return schemaIssues(schema, values, checked);
  const variants = (schema.anyOf as JsonObject[] | undefined) ?? [schema];
  const types = variants.flatMap(listTypes);
  const wanted = values.type ?? (values.cron === undefined ? types[0] : 'timed');
  const variant = variants.find(
    (candidate) => variants.length === 1 || listTypes(candidate).includes(wanted),
  );
  if (!variant) return { type: [toIssue(mustBeOneOf(types))] };
  const issues: Issues = {};
  for (const error of schemaErrors(variant, values)) {
    const { name, message } = readable(error, variant, checked);
    issues[name] = [...(issues[name] ?? []), toIssue(message)];
  }
  return issues;
}

const toIssue = (message: string): Issue => ({ message, issueType: 'MISSING_VALUE' });

const readProperties = ({ properties }: JsonObject) => asObject(properties);

/** The values of the control `type` in a variant. */
function listTypes(variant: JsonObject): unknown[] {
  const { type } = readProperties(variant);
  if (!isObject(type)) return [];
  return Array.isArray(type.enum) ? type.enum : [type.const];
}

function readable(
  error: SchemaError,
  variant: JsonObject,
  checked: CheckedType,
): { name: string; message: string } {
  const { instancePath, keyword, params } = error;
  const path = instancePath.slice(1).replaceAll('/', '.');
  const within = (name: string) => [path, name].filter(Boolean).join('.');
  switch (keyword) {
    case 'additionalProperties': {
      const controlsText = path === '' ? ` The controls are: ${joinNames(variant)}.` : '';
      return {
        name: within(String(params.additionalProperty)),
        message: `unknown control.${controlsText}`,
      };
    }
    case 'required':
      return {
        name: within(String(params.missingProperty)),
        message: schemaMessage(error, checked),
      };
    case 'enum':
      return { name: path, message: mustBeOneOf(params.allowedValues as unknown[]) };
    default:
      return { name: path, message: schemaMessage(error, checked) };
  }
}

const joinNames = (variant: JsonObject) => Object.keys(readProperties(variant)).join(', ');

const mustBeOneOf = (values: readonly unknown[]) => `must be one of: ${values.join(', ')}`;
