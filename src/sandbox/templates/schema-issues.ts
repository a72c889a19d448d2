// Issues of a definition by the path of the value, and how the service joins the issues of several checks.

import { asObject, isObject, type JsonObject } from '../../core/objects.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import type { StepIssues } from '../../service/schemas/workflow-issues.ts';

export type Issues = NonNullable<StepIssues['controls']>;
export type Issue = Issues[string][number];

/** Issues of a later check replace earlier ones at the same place of the same list. */
export function mergeIssues(...all: readonly Issues[]): Issues {
  const merged: Issues = {};
  for (const issues of all) {
    for (const [path, list] of Object.entries(issues)) {
      const known = merged[path] ?? [];
      const replaced = list.map((issue, index) => ({ ...known[index], ...issue }));
      merged[path] = [...replaced, ...known.slice(list.length)];
    }
  }
  return merged;
}

// The issues of values that break the JSON Schema of their controls, with the messages of the service.

type SchemaError = ReturnType<typeof schemaErrors>[number];

/** `isInApp`: a subject or a body is enough, which the messages say. */
export function schemaIssues(
  schema: Record<string, unknown> | undefined,
  values: Record<string, unknown>,
  isInApp: boolean,
): Issues {
  if (!schema) return {};
  const issues: Issues = {};
  for (const error of schemaErrors(schema, values)) {
    const path = issuePath(error);
    const issue: Issue = { message: schemaMessage(error, isInApp), issueType: 'MISSING_VALUE' };
    // The service reports mistakes of the whole under the name "undefined".
    const name = path ?? 'undefined';
    issues[name] ??= [];
    issues[name].push(path === undefined ? issue : { ...issue, variableName: path });
  }
  return issues;
}

function issuePath({ instancePath, params }: SchemaError): string | undefined {
  const { missingProperty } = params as { missingProperty?: string };
  const path = instancePath.slice(1).replaceAll('/', '.');
  if (path === '') return missingProperty;
  return missingProperty === undefined ? path : `${path}.${missingProperty}`;
}

function schemaMessage(
  { keyword, instancePath, params, message }: SchemaError,
  isInApp: boolean,
): string {
  const { missingProperty = '' } = params as { missingProperty?: string };
  if (keyword === 'required' && isInApp) return 'Subject or body is required';
  if (keyword === 'required') return `${capitalized(missingProperty)} is required`;
  if (keyword === 'minLength') return `${capitalized(instancePath.replace('/', ''))} is required`;
  const isUrl = message?.includes('mailto') && message.includes('https');
  if (keyword === 'pattern' && isUrl)
    return 'Invalid URL. Must be a valid full URL, path starting with /, or {{variable}}';
  return message ?? 'Invalid value';
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

// The issues of control values for people. Those of the service contain the errors of every variant of a digest or delay,
// such as "Cron is required" for a digest of ten minutes, and do not name what is wrong.

/** Like `schemaIssues`, but only with the errors of the variant that the values are meant to be. */
export function readableIssues(
  schema: JsonObject | undefined,
  values: Record<string, unknown>,
  isInApp: boolean,
): Issues {
  if (!schema || isInApp) return schemaIssues(schema, values, isInApp);
  const variants = (schema.anyOf as JsonObject[] | undefined) ?? [schema];
  const types = variants.flatMap(listTypes);
  const wanted = values.type ?? (values.cron === undefined ? types[0] : 'timed');
  const variant = variants.find(
    (candidate) => variants.length === 1 || listTypes(candidate).includes(wanted),
  );
  if (!variant) return { type: [toIssue(mustBeOneOf(types))] };
  const issues: Issues = {};
  for (const error of schemaErrors(variant, values)) {
    const { name, message } = readable(error, variant);
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

function readable(error: SchemaError, variant: JsonObject): { name: string; message: string } {
  const { instancePath, keyword, params } = error;
  const path = instancePath.slice(1).replaceAll('/', '.');
  const within = (name: string) => [path, name].filter(Boolean).join('.');
  switch (keyword) {
    case 'additionalProperties': {
      const known = path === '' ? ` The controls are: ${joinNames(variant)}.` : '';
      return {
        name: within(String(params.additionalProperty)),
        message: `unknown control.${known}`,
      };
    }
    case 'required':
      return { name: within(String(params.missingProperty)), message: schemaMessage(error, false) };
    case 'enum':
      return { name: path, message: mustBeOneOf(params.allowedValues as unknown[]) };
    default:
      return { name: path, message: schemaMessage(error, false) };
  }
}

const joinNames = (variant: JsonObject) => Object.keys(readProperties(variant)).join(', ');

const mustBeOneOf = (values: readonly unknown[]) => `must be one of: ${values.join(', ')}`;
