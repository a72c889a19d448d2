// The issues of Liquid in control values: mistakes of syntax, and variables that the step does not have.

import { type BlockNode, isDocument } from '../rendering/blocks/document.ts';
import { withLiquid } from '../rendering/blocks/variables.ts';
import { checkLiquid } from '../rendering/liquid.ts';
import type { Issue, Issues } from './issues.ts';

/** A JSON Schema of the variables. */
export type VariableSchema = Record<string, unknown>;

/** Checks every text in `value`, at any depth. The path of a text names its issues. */
export function liquidIssues(value: unknown, schema: VariableSchema, path: string[] = []): Issues {
  if (typeof value === 'object' && value !== null) {
    return Object.assign(
      {},
      ...Object.entries(value).map(([name, member]) =>
        liquidIssues(member, schema, [...path, name]),
      ),
    );
  }
  const found = typeof value === 'string' ? textIssues(templateOf(value), schema) : [];
  return found.length === 0 ? {} : { [path.join('.')]: found };
}

/** A block document is checked as JSON with Liquid in place of its variables. */
function templateOf(text: string): string {
  const document = readDocument(text);
  return document ? JSON.stringify(withLiquid(document)) : text;
}

export function readDocument(text: unknown): BlockNode | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function textIssues(text: string, schema: VariableSchema): Issue[] {
  const checked = checkLiquid(text);
  const problems =
    'mistakes' in checked
      ? checked.mistakes.map(({ message, input }) => ({ name: variableIn(input), message }))
      : checked.variables.flatMap((name) => {
          const message = variableProblem(name, schema);
          return message === undefined ? [] : [{ name, message }];
        });
  const unique = problems.filter(
    ({ name }, index) => problems.findIndex((one) => one.name === name) === index,
  );
  return unique.map(({ name, message }) => ({
    message: `Variable "${name}" ${message}`,
    issueType: 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE' as const,
    variableName: name,
  }));
}

function variableProblem(name: string, schema: VariableSchema): string | undefined {
  const isAllowed = isKnown(name, schema);
  if (!name.includes('.') && !(name === 'content' && isAllowed))
    return 'invalid or missing namespace';
  return isAllowed ? undefined : 'is not supported';
}

/** The variable that a template consists of; `{{}}` if it is anything else. */
function variableIn(template: string): string {
  const expression = template
    .trim()
    .replace(/^\{\{/, '')
    .replace(/\}\}$/, '')
    .split('|')[0]
    ?.trim();
  return /^[a-zA-Z_]\w*(?:\.[a-zA-Z_]\w*)*(?:\[\d+\])*$/.test(expression ?? '')
    ? (expression ?? '')
    : '{{}}';
}

/** Whether the schema has the path, or allows it. */
export function isKnown(name: string, schema: VariableSchema): boolean {
  let current: VariableSchema = schema;
  for (const part of name.split('.').flatMap(withIndex)) {
    const next = childOf(current, part);
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
function childOf(schema: VariableSchema, part: string): VariableSchema | true | undefined {
  const { properties, additionalProperties, type, items } = schema;
  const member = memberOf(properties, part);
  if (member) return member;
  if (type === 'array') {
    const item = asSchema(items);
    if (/^\d+$/.test(part)) return item ?? true;
    const ofItem = memberOf(item?.properties, part);
    if (ofItem) return ofItem;
  }
  return additionalProperties === true ? true : asSchema(additionalProperties);
}

const memberOf = (properties: unknown, name: string): VariableSchema | undefined =>
  asSchema(
    typeof properties === 'object' && properties !== null && Object.hasOwn(properties, name)
      ? Reflect.get(properties, name)
      : undefined,
  );

const asSchema = (value: unknown): VariableSchema | undefined =>
  typeof value === 'object' && value !== null ? (value as VariableSchema) : undefined;
