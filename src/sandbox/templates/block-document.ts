import { errorMessage } from '../../core/errors.ts';
import { type JsonObject, jsonOr } from '../../core/objects.ts';
import { type RenderPlace, type ReportVariable, renderLiquid } from './liquid.ts';

// The document of the block editor: `{type: 'doc', content: [nodes]}`, stored as JSON text in the body of an e-mail.

/** A node or a mark. Attributes may be absent or null. */
export interface BlockNode {
  type?: string;
  attrs?: Record<string, unknown> | null;
  content?: BlockNode[];
  marks?: BlockNode[];
  text?: string;
}

/** The document in a body, or undefined where the body is not JSON. Other JSON than a document is an empty one. */
export function documentOrEmpty(body: string): BlockNode | undefined {
  // Most bodies are HTML. To parse them as JSON would throw, which is slow.
  if (!/^\s*[[{"\d\-ntf]/.test(body)) return undefined;
  const value = jsonOr(body, undefined);
  if (value === undefined) return undefined;
  return isDocument(value) ? value : { type: 'doc', content: [] };
}

const isDocument = (value: unknown): value is BlockNode =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  value.type === 'doc' &&
  'content' in value &&
  Array.isArray(value.content);

export const attribute = ({ attrs }: BlockNode, name: string): unknown => attrs?.[name];

/** A text attribute; undefined where it is absent, null or of another type. */
export function textAttribute(node: BlockNode, name: string): string | undefined {
  const value = attribute(node, name);
  return typeof value === 'string' ? value : undefined;
}

/** The document in a body, or undefined where it is anything else. */
export function documentIn(text: unknown): BlockNode | undefined {
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return undefined;
  const value = jsonOr(text, undefined);
  return isDocument(value) ? value : undefined;
}

// Turns the variables of a document into Liquid: `{id: 'payload.name', fallback: 'you'}` becomes
// `{{ payload.name | default: 'you' }}`.

/** Attributes that can hold a variable, and the flag that says whether they do. */
const flagged: Record<string, Record<string, string>> = {
  button: { text: 'isTextVariable', url: 'isUrlVariable' },
  image: { src: 'isSrcVariable', externalLink: 'isExternalLinkVariable' },
  inlineImage: { src: 'isSrcVariable', externalLink: 'isExternalLinkVariable' },
  link: { href: 'isUrlVariable' },
};
/** Attributes that always hold a variable. */
const always = { id: 'id', showIfKey: 'showIfKey', each: 'each' };

/** A copy of the node and everything below it with Liquid in place of variables. */
export function withLiquid(node: BlockNode): BlockNode {
  return {
    ...node,
    ...(node.attrs ? { attrs: liquidAttributes(node) } : {}),
    ...(node.content ? { content: node.content.map(withLiquid) } : {}),
    ...(node.marks ? { marks: node.marks.map(withLiquid) } : {}),
  };
}

function liquidAttributes(node: BlockNode): Record<string, unknown> {
  const attrs = { ...node.attrs };
  for (const [name, flag] of Object.entries({ ...flagged[node.type ?? ''], ...always })) {
    const path = textAttribute(node, name);
    if (path && attribute(node, flag)) attrs[name] = expression(node, path);
  }
  return attrs;
}

function expression(node: BlockNode, path: string): string {
  const fallback = textAttribute(node, 'fallback');
  const source = textAttribute(node, 'aliasFor') || path;
  return fallback ? `{{ ${source} | default: '${fallback}' }}` : `{{ ${source} }}`;
}

/** `{{ payload.items.name }}` with the path `{{ payload.items }}` at 2: `{{ payload.items[2].name }}`. */
function indexed(text: string, eachExpression: string, index: number): string {
  const [, inner] = /\{\{\s*(.*?)\s*\}\}/.exec(text) ?? [];
  if (inner === undefined) return text;
  const list = eachExpression.replaceAll(/\{\{|\}\}/g, '').trim();
  const [path = '', ...filters] = inner.split('|').map((part) => part.trim());
  if (path.includes('[')) return text;
  return `{{ ${[path.replace(list, () => `${list}[${index}]`), ...filters].join(' | ')} }}`;
}

// Evaluates a block document: hides nodes by `showIfKey`, repeats the children of `repeat`, fills in variables.

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
  variables: JsonObject,
  place: RenderPlace,
  report?: ReportVariable,
): BlockNode {
  const safe = escapedForJson(variables) as JsonObject;
  const expanded = expand(withLiquid(document), (text) => renderLiquid(text, safe, place));
  return JSON.parse(renderLiquid(JSON.stringify(expanded), safe, place, report)) as BlockNode;
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
  return Boolean(jsonOr(value, value));
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
