// The issues of values that break the JSON Schema of their controls, with the messages of the service.
import { schemaErrors } from '../../service/payload-schema.ts';
import type { Issue, Issues } from './issues.ts';

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

export function schemaMessage(
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
