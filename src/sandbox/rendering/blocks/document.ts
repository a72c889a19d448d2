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
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
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
  try {
    const value: unknown = JSON.parse(text);
    return isDocument(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
