// The issues of the condition on which a step is skipped: the structure of its rules, and the variables they compare.

import { asObject, isObject } from '../../core/objects.ts';
import type { Issue, Issues } from './schema-issues.ts';

/** Whether a variable can be compared, by its name. */
type Known = Pick<ReadonlySet<string>, 'has'>;

const comparisons = ['==', '!=', '>', '<', '>=', '<=', 'in', 'startsWith', 'endsWith'];
const namespaces = ['payload.', 'subscriber.data.', 'context.'];

export function skipIssues(skip: unknown, variables: Known): Issues {
  const issues = nodeIssues(skip, variables, []);
  return issues.length === 0 ? {} : { skip: issues };
}

const issue = (message: string, path: readonly number[], isMissing = false): Issue => ({
  issueType: isMissing ? 'MISSING_VALUE' : 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
  message,
  variableName: path.join('.'),
});

function nodeIssues(node: unknown, variables: Known, path: readonly number[]): Issue[] {
  if (typeof node !== 'object' || node === null) return [issue('Invalid node structure', path)];
  return Object.entries(node).flatMap(([operator, value]: [string, unknown]) => {
    if (operator === 'and' || operator === 'or') {
      if (!Array.isArray(value))
        return [issue(`Invalid logical operator "${operator}" structure`, path)];
      return value.flatMap((item, index) => nodeIssues(item, variables, [...path, index]));
    }
    if (operator === '!') return nodeIssues(value, variables, path);
    if (operator === 'in') return inIssues(value, path);
    if (operator === '<=' && Array.isArray(value) && value.length === 3)
      return betweenIssues(value, variables, path);
    if (comparisons.includes(operator)) return comparisonIssues(operator, value, variables, path);
    return operator === 'var' && !value ? [issue('Field variable is required', path, true)] : [];
  });
}

const isReference = (field: unknown): field is { var: unknown } =>
  typeof field === 'object' && field !== null && 'var' in field;

const isNothing = (value: unknown) => value === undefined || value === null;

function referenceIssues(field: unknown, variables: Known, path: readonly number[]): Issue[] {
  if (!isReference(field)) return [issue('Invalid field reference in comparison', path)];
  const name = String(field.var ?? '');
  const isBelow = namespaces.some((prefix) => name.startsWith(prefix) && name !== prefix);
  const isValid = name === 'subscriber.data' || isBelow || (name !== '' && variables.has(name));
  return isValid ? [] : [issue('Value is not valid', path)];
}

function betweenIssues(value: unknown[], variables: Known, path: readonly number[]): Issue[] {
  const [lower, field, upper] = value;
  return [
    ...referenceIssues(field, variables, path),
    ...(isNothing(lower) || isNothing(upper) ? [issue('Value is required', path, true)] : []),
  ];
}

function comparisonIssues(
  operator: string,
  value: unknown,
  variables: Known,
  path: readonly number[],
): Issue[] {
  if (!Array.isArray(value) || value.length !== 2)
    return [issue(`Invalid operation structure for operator "${operator}"`, path)];
  const [field, compared]: unknown[] = value;
  const isMissing =
    compared === undefined ||
    compared === '' ||
    (compared === null && operator !== '==' && operator !== '!=');
  return [
    ...referenceIssues(field, variables, path),
    ...(isMissing ? [issue('Value is required', path, true)] : []),
  ];
}

/** `in` has a text and a variable that contains it, or a variable and a list. */
function inIssues(value: unknown, path: readonly number[]): Issue[] {
  if (!Array.isArray(value) || value.length !== 2)
    return [issue('Invalid operation structure for operator "in"', path)];
  const [first, second]: unknown[] = value;
  const isContains = typeof first === 'string';
  const isMissing = isContains
    ? first === ''
    : isNothing(second) || (Array.isArray(second) && second.length === 0);
  const field = isContains ? second : first;
  return [
    ...(isReference(field) ? [] : [issue('Invalid field reference in comparison', path)]),
    ...(isMissing ? [issue('Value is required', path, true)] : []),
  ];
}

const primitives = ['string', 'number', 'boolean', 'integer'];

/** The variables of a JSON Schema that can be compared: those with a text, number or flag. */
export function listPrimitives(schema: unknown): Set<string> {
  const names = new Set<string>();
  collect(schema, '', names);
  return names;
}

function collect(schema: unknown, path: string, names: Set<string>): void {
  if (!isObject(schema)) return;
  const { properties, items } = schema;
  for (const [name, member] of Object.entries(asObject(properties))) {
    const memberPath = path === '' ? name : `${path}.${name}`;
    if (isObject(member) && primitives.includes(String(member.type))) names.add(memberPath);
    collect(member, memberPath, names);
  }
  if (schema.type === 'array')
    collect(Array.isArray(items) ? items[0] : items, `${path}[0]`, names);
  for (const combined of ['allOf', 'anyOf', 'oneOf'])
    for (const part of [schema[combined] ?? []].flat()) collect(part, path, names);
  for (const part of ['if', 'then', 'else']) collect(schema[part], path, names);
}
