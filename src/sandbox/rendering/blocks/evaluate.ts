// Evaluates a block document: hides nodes by `showIfKey`, repeats the children of `repeat`, fills in variables.
import { errorMessage } from '../../../core/errors.ts';
import { type ReportVariable, renderLiquid, type Variables } from '../liquid.ts';

import { attribute, type BlockNode, textAttribute } from './document.ts';
import { indexed, withLiquid } from './variables.ts';

/** Attributes in which a repeat puts its index. */
const indexedAttributes: Record<string, readonly string[]> = {
  button: ['text', 'url'],
  image: ['src', 'externalLink'],
  inlineImage: ['src', 'externalLink'],
  link: ['href'],
};

/** The document with every variable, condition and loop evaluated. Throws what makes the step fail. */
export function evaluate(
  document: BlockNode,
  variables: Variables,
  now: string,
  report?: ReportVariable,
): BlockNode {
  const safe = escapedForJson(variables) as Variables;
  const expanded = expand(withLiquid(document), (text) => renderLiquid(text, safe, now));
  return JSON.parse(renderLiquid(JSON.stringify(expanded), safe, now, report)) as BlockNode;
}

type Render = (text: string) => string;

const expand = (node: BlockNode, render: Render): BlockNode =>
  node.content
    ? { ...node, content: node.content.flatMap((child) => expandChild(child, render)) }
    : variableAsText(node);

function expandChild(node: BlockNode, render: Render): BlockNode[] {
  if (!isShown(node, render)) return [];
  const each = repeatedList(node);
  if (each === undefined) return [expand(node, render)];
  const items = readItems(each, render);
  const children = node.content ?? [];
  // A repeat inside of this one is evaluated without an index, which fails unless its path is absolute.
  for (const child of children) expandChild(child, render);
  const iterations = Number(attribute(node, 'iterations')) || items.length;
  return items
    .slice(0, iterations)
    .flatMap((_, index) => children.map((child) => withIndex(child, each, index)))
    .filter((child) => repeatedList(child) === undefined);
}

function isShown(node: BlockNode, render: Render): boolean {
  const condition = attribute(node, 'showIfKey');
  if (typeof condition !== 'string') return true;
  const value = render(condition).toLowerCase().trim();
  if (['false', 'null', 'undefined'].includes(value)) return false;
  try {
    return Boolean(JSON.parse(value));
  } catch {
    return value !== '';
  }
}

const repeatedList = (node: BlockNode) =>
  node.type === 'repeat' || node.type === 'for' ? textAttribute(node, 'each') : undefined;

/** Lists are printed with single quotes; the service turns these into double ones and parses the result. */
function readItems(each: string, render: Render): unknown[] {
  try {
    const items: unknown = JSON.parse(render(each).replaceAll("'", '"'));
    if (!Array.isArray(items)) throw new Error(`Iterable "${each}" is not an array`);
    return items;
  } catch (error) {
    const reason = errorMessage(error);
    throw new Error(`Failed to parse iterable value for "${each}": ${reason}`);
  }
}

function withIndex(node: BlockNode, each: string, index: number): BlockNode {
  if (node.type === 'variable') {
    const text = variableAsText(node);
    return { ...text, text: indexed(text.text ?? '', each, index) };
  }
  const attrs = { ...node.attrs };
  for (const name of indexedAttributes[node.type ?? ''] ?? []) {
    const value = attrs[name];
    if (typeof value === 'string') attrs[name] = indexed(value, each, index);
  }
  return {
    ...node,
    ...(node.attrs ? { attrs } : {}),
    ...(node.content
      ? { content: node.content.map((child) => withIndex(child, each, index)) }
      : {}),
    ...(node.marks ? { marks: node.marks.map((mark) => withIndex(mark, each, index)) } : {}),
  };
}

const variableAsText = (node: BlockNode): BlockNode =>
  node.type === 'variable'
    ? { ...node, type: 'text', text: textAttribute(node, 'id') ?? '' }
    : node;

/** Values as they can stand inside a JSON string, so that quotes and newlines in them are safe. */
function escapedForJson(value: unknown): unknown {
  if (typeof value === 'string') return JSON.stringify(value).slice(1, -1);
  if (Array.isArray(value)) return value.map(escapedForJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, escapedForJson(inner)]),
  );
}
