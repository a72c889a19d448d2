// The variables that control values use, as the service fills them in for an editor: an object whose texts are the names
// of the variables, and the JSON Schema that describes it.
import { asObject, isObject } from '../../core/objects.ts';
import { documentIn } from '../rendering/blocks/document.ts';
import { withLiquid } from '../rendering/blocks/variables.ts';
import { checkLiquid } from '../rendering/liquid.ts';
import { referencesIn } from '../rendering/template-variables.ts';

type Values = Record<string, unknown>;

export const isDigestEvents = (name: string) => /^steps\.[^.]+\.events$/.test(name);

/** Variables that may have any member. */
export const isDynamic = (name: string): boolean =>
  /^(?:subscriber\.data\.|payload\.|context\.|steps\.[^.]+\.events\[\d+\]\.payload\.)/.test(name);

/** A block document is read as JSON with Liquid in place of its variables. */
export function toTemplate(text: string): string {
  const document = documentIn(text);
  return document ? JSON.stringify(withLiquid(document)) : text;
}

/** The values of all controls whose variables count. */
export function usedVariables(values: readonly unknown[]): Values {
  const names = [...new Set(values.flatMap(namesIn))];
  const lists = values.flatMap(findLists);
  const flags = values.flatMap((value) => findAttributes(value, 'showIfKey'));
  const variables: Values = {};
  for (const list of lists) setAt(variables, `${list}[0]`, {});
  const leaves = names.filter((name) => !names.some((other) => other.startsWith(`${name}.`)));
  for (const name of leaves.sort((a, b) => countParts(a) - countParts(b))) {
    const text = (name.split('.').at(-1) ?? '').replaceAll(/\[\d+\]/g, '');
    const value = flags.includes(name) || text;
    const list = lists.find((each) => name === each || name.startsWith(`${each}.`));
    const path = list === undefined ? name : `${list}[0]${name.slice(list.length)}`;
    setAt(variables, path.replaceAll(/\[\d+\]/g, '[0]'), value);
  }
  return variables;
}

const countParts = (name: string) => name.split('.').length;

function namesIn(value: unknown): string[] {
  const checked = checkLiquid(toLiquidText(value));
  if ('mistakes' in checked) return [];
  return referencesIn(checked.templates).flatMap(({ name, members, mistake, filterMistake }) => {
    if (mistake !== undefined || filterMistake !== undefined) return [];
    const ofItems = isDynamic(name) ? members.map((member) => `${name}.${member}`) : [];
    return [...ofItems, ...(isDynamic(name) || isDigestEvents(name) ? [name] : [])];
  });
}

const conditionFields = /^(?:payload|subscriber\.data|context)\./;

/** A condition uses the variables that it compares. */
function toLiquidText(value: unknown): string {
  if (typeof value === 'string') return toTemplate(value);
  const fields = isCondition(value) ? comparedFields(value) : [];
  const used = fields.filter((field) => conditionFields.test(field));
  return `${JSON.stringify(value) ?? ''}${used.map((field) => `{{${field}}}`).join('')}`;
}

const isCondition = (value: unknown) => isObject(value) && Object.keys(value).length === 1;

function comparedFields(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(comparedFields);
  if (!isObject(node)) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'var' && typeof value === 'string' ? [value] : comparedFields(value),
  );
}

/** Lists of a block document: what a block repeats, and variables with an index. */
const findLists = (value: unknown): string[] => [
  ...findAttributes(value, 'each'),
  ...findAttributes(value, 'id').flatMap((id) => /^([^[]+)\[\d+\]/.exec(id)?.[1] ?? []),
];

function findAttributes(value: unknown, name: string): string[] {
  if (typeof value !== 'string' || !documentIn(value)) return [];
  const matches = value.matchAll(new RegExp(`"${name}"\\s*:\\s*"([^"]+)"`, 'g'));
  return [...new Set([...matches].map(([, text = '']) => text))];
}

/** Sets the value at a path like `a.b[0]`. A number makes a list. */
function setAt(target: Values, path: string, value: unknown): void {
  const keys = path
    .split('.')
    .flatMap((part) => part.split(/[[\]]/).filter((key, index) => key !== '' || index === 0));
  if (keys.some((key) => ['__proto__', 'constructor', 'prototype'].includes(key))) return;
  const last = keys.pop() ?? '';
  let at: Values = target;
  for (const [index, key] of keys.entries()) {
    const current = at[key];
    const next = keys[index + 1] ?? last;
    if (typeof current !== 'object' || current === null) at[key] = /^\d+$/.test(next) ? [] : {};
    at = at[key] as Values;
  }
  at[last] = value;
}

type Schema = Record<string, unknown>;

/** The JSON Schema of an object of variables; other members are allowed. */
export function variablesSchema(variables: unknown): Schema {
  const members = asObject(variables);
  return {
    type: 'object',
    properties: mapValues(members, inferSchema),
    required: Object.keys(members),
    additionalProperties: true,
  };
}

function inferSchema(value: unknown): Schema {
  if (Array.isArray(value))
    return { type: 'array', items: value.length > 0 ? inferSchema(value[0]) : { type: 'array' } };
  if (isObject(value))
    return {
      type: 'object',
      properties: mapValues(value, inferSchema),
      required: Object.keys(value),
    };
  return { type: typeof value, default: value };
}

const mapValues = <T>(members: Values, change: (value: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, change(value)]));
