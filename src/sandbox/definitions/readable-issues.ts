// The issues of control values for people. Those of the service contain the errors of every variant of a digest or delay,
// such as "Cron is required" for a digest of ten minutes, and do not name what is wrong.
import { asObject, isObject } from '../../core/objects.ts';
import { schemaErrors } from '../../service/payload-schema.ts';
import type { Issue, Issues } from './issues.ts';
import { schemaIssues, schemaMessage } from './schema-issues.ts';

type Schema = Record<string, unknown>;
type SchemaError = ReturnType<typeof schemaErrors>[number];

/** Like `schemaIssues`, but only with the errors of the variant that the values are meant to be. */
export function readableIssues(
  schema: Schema | undefined,
  values: Record<string, unknown>,
  isInApp: boolean,
): Issues {
  if (!schema || isInApp) return schemaIssues(schema, values, isInApp);
  const variants = (schema.anyOf as Schema[] | undefined) ?? [schema];
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

const readProperties = ({ properties }: Schema) => asObject(properties);

/** The values of the control `type` in a variant. */
function listTypes(variant: Schema): unknown[] {
  const { type } = readProperties(variant);
  if (!isObject(type)) return [];
  return Array.isArray(type.enum) ? type.enum : [type.const];
}

function readable(error: SchemaError, variant: Schema): { name: string; message: string } {
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

const joinNames = (variant: Schema) => Object.keys(readProperties(variant)).join(', ');

const mustBeOneOf = (values: readonly unknown[]) => `must be one of: ${values.join(', ')}`;
