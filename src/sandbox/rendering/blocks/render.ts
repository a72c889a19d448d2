// The HTML of an evaluated block document: plain and semantic, without the styles of the service.
import { attribute, type BlockNode, textAttribute } from './document.ts';
import { cell, element, emptyElement, escapeHtml, rowTable } from './html.ts';
import { marked } from './marks.ts';
import { button, columns, image, inlineImage, linkCard, logo } from './parts.ts';

type Renderer = (node: BlockNode, children: () => string) => string;

const aligned = (node: BlockNode) => {
  const align = textAttribute(node, 'textAlign');
  return { style: align && align !== 'left' ? `text-align:${align}` : undefined };
};

const list =
  (name: 'ul' | 'ol'): Renderer =>
  (_node, children) =>
    rowTable(cell(element(name, {}, children())));

const renderers: Record<string, Renderer> = {
  doc: (_node, children) => children(),
  paragraph: (node, children) => element('p', aligned(node), children()),
  heading: (node, children) => element(headingName(node), aligned(node), children()),
  text: ({ text = '', marks }) => marked(text.trim() === '' ? '\u00a0' : escapeHtml(text), marks),
  hardBreak: () => emptyElement('br'),
  bulletList: list('ul'),
  orderedList: list('ol'),
  listItem: (_node, children) => element('li', {}, children()),
  blockquote: (_node, children) => element('blockquote', {}, children()),
  button,
  image,
  inlineImage,
  logo,
  spacer: (node) => rowTable(cell('', { height: Number(attribute(node, 'height')) || undefined })),
  horizontalRule: () => emptyElement('hr'),
  footer: (node, children) => element('p', aligned(node), children()),
  section: (node, children) =>
    rowTable(cell(children(), { align: textAttribute(node, 'align') ?? 'left' })),
  columns: (node) => columns(node, (column) => renderChildren(column)),
  htmlCodeBlock: (node) => rowTable(cell(rawHtml(node)), { align: 'left', width: '100%' }),
  linkCard,
};

/** The content of the e-mail. Throws for a node or mark that the service does not know. */
export function renderNode(node: BlockNode): string {
  const { type = '' } = node;
  const renderer = Object.hasOwn(renderers, type) ? renderers[type] : undefined;
  if (!renderer) throw new Error(`Node type "${type}" is not supported.`);
  return renderer(node, () => renderChildren(node));
}

const renderChildren = ({ content = [] }: BlockNode): string => content.map(renderNode).join('');

function headingName(node: BlockNode): string {
  const level = attribute(node, 'level') ?? 1;
  if (level === 1 || level === 2 || level === 3) return `h${level}`;
  throw new Error(`Heading level ${JSON.stringify(level)} is not supported.`);
}

/** Text and variables, not escaped; the head of a document is left out. */
const rawHtml = ({ content = [] }: BlockNode): string =>
  content
    .map(({ text = '' }) => text)
    .join('')
    .replace(/<head\b[^>]*>[\s\S]*?<\/head>/gi, '');
