// The issues of Liquid in control values: mistakes of syntax, and variables that the step does not have.

import type { JsonObject } from '../../core/objects.ts';
import { checkLiquid } from './liquid.ts';
import type { Issue, Issues } from './schema-issues.ts';
import { isDigestEvents, isDynamic, toTemplate } from './step-variables.ts';
import { type Reference, referencesIn, variableIn } from './template-variables.ts';

/** Checks every text in `value`, at any depth. The path of a text names its issues. */
export function liquidIssues(value: unknown, schema: JsonObject, path: string[] = []): Issues {
  if (typeof value === 'object' && value !== null) {
    return Object.assign(
      {},
      ...Object.entries(value).map(([name, member]) =>
        liquidIssues(member, schema, [...path, name]),
      ),
    );
  }
  const issues = typeof value === 'string' ? textIssues(toTemplate(value), schema) : [];
  return issues.length === 0 ? {} : { [path.join('.')]: issues };
}

function textIssues(text: string, schema: JsonObject): Issue[] {
  const checked = checkLiquid(text);
  if ('mistakes' in checked)
    return uniqueByName(
      checked.mistakes.map(({ message, input }) =>
        variableIssue(variableIn(input.trim().replace(/^\{\{|\}\}$/g, '')) ?? '{{}}', message),
      ),
    );
  const references = referencesIn(checked.templates);
  const isValid = (reference: Reference) => findIssue(reference, schema) === undefined;
  const valid = new Set(references.filter(isValid).map(({ name }) => name));
  const issues = references.flatMap((reference) => [
    ...memberIssues(reference, schema),
    ...(valid.has(reference.name) ? [] : [findIssue(reference, schema) ?? []].flat()),
  ]);
  return uniqueByName(issues);
}

const uniqueByName = (issues: readonly Issue[]): Issue[] =>
  [
    ...new Map([...issues].reverse().map((issue) => [issue.variableName, issue])).values(),
  ].reverse();

const variableIssue = (name: string, problem: string): Issue => ({
  message: `Variable "${name}" ${problem}`,
  issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE',
  variableName: name,
});

function findIssue(
  { name, mistake, filterMistake }: Reference,
  schema: JsonObject,
): Issue | undefined {
  if (filterMistake !== undefined)
    return {
      message: `Filter "${filterMistake}" in "${name}"`,
      issueType: 'INVALID_FILTER_ARG_IN_VARIABLE',
      variableName: name,
    };
  const problem = mistake ?? variableProblem(name, schema);
  return problem === undefined ? undefined : variableIssue(name, problem);
}

/** The service looks up the member of the items at the root, where few are. */
const memberIssues = ({ name, members }: Reference, schema: JsonObject): Issue[] =>
  members
    .filter(
      (member) =>
        (isDynamic(name) && isKnown(`${name}.${member}`, schema)) ||
        (member.startsWith('payload.') && isDigestEvents(name)),
    )
    .filter((member) => !isKnown(member, schema))
    .map((member) => variableIssue(`${name}.${member}`, 'is not supported'));

function variableProblem(name: string, schema: JsonObject): string | undefined {
  const isAllowed = isKnown(name, schema);
  if (!name.includes('.') && !(name === 'content' && isAllowed))
    return 'invalid or missing namespace';
  // Translations have the namespace `t`.
  return isAllowed || name.startsWith('t.') ? undefined : 'is not supported';
}

/** Whether the schema has the path, or allows it. */
export function isKnown(name: string, schema: JsonObject): boolean {
  let current: JsonObject = schema;
  for (const part of name.split('.').flatMap(withIndex)) {
    const next = findChild(current, part);
    if (next === true) return true;
    if (next === undefined) return false;
    current = next;
  }
  return true;
}

/** `items[2]` → `items` and `2`. */
const withIndex = (part: string): string[] => {
  const [, name, index] = /^(.+?)\[(\d+)\]$/.exec(part) ?? [];
  return name === undefined || index === undefined ? [part] : [name, index];
};

/** `true`: anything is allowed below. */
function findChild(schema: JsonObject, part: string): JsonObject | true | undefined {
  const { properties, additionalProperties, type, items } = schema;
  const member = findMember(properties, part);
  if (member) return member;
  if (type === 'array') {
    const item = asSchema(items);
    if (/^\d+$/.test(part)) return item ?? true;
    const ofItem = findMember(item?.properties, part);
    if (ofItem) return ofItem;
  }
  return additionalProperties === true ? true : asSchema(additionalProperties);
}

const findMember = (properties: unknown, name: string): JsonObject | undefined =>
  asSchema(
    typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name)
      ? Reflect.get(properties, name)
      : undefined,
  );

const asSchema = (value: unknown): JsonObject | undefined =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
