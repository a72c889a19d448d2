// Turns the variables of a document into Liquid: `{id: 'payload.name', fallback: 'you'}` becomes
// `{{ payload.name | default: 'you' }}`.
import { attribute, type BlockNode, textAttribute } from './document.ts';

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
export function indexed(text: string, eachExpression: string, index: number): string {
  const [, inner] = /\{\{\s*(.*?)\s*\}\}/.exec(text) ?? [];
  if (inner === undefined) return text;
  const list = eachExpression.replaceAll(/\{\{|\}\}/g, '').trim();
  const [path = '', ...filters] = inner.split('|').map((part) => part.trim());
  if (path.includes('[')) return text;
  return `{{ ${[path.replace(list, () => `${list}[${index}]`), ...filters].join(' | ')} }}`;
}
