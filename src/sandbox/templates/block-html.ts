// The HTML of an evaluated block document: plain and semantic, without the styles of the service.

import { attribute, type BlockNode, textAttribute } from './block-document.ts';

// Builds HTML: escaped text, elements with attributes, and the tables that e-mail uses for layout.

/** Escaped for text and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};

type Attributes = Record<string, string | number | undefined>;

const attributesText = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeHtml(String(value))}"`)
    .join('');

/** An element; `children` is HTML. */
export const element = (name: string, attributes: Attributes, children: string): string =>
  `<${name}${attributesText(attributes)}>${children}</${name}>`;

const emptyElement = (name: string, attributes: Attributes = {}): string =>
  `<${name}${attributesText(attributes)}/>`;

const layoutTable: Attributes = { border: 0, cellpadding: 0, cellspacing: 0, role: 'presentation' };

/** A table of one row, the way e-mail is laid out; `cells` is HTML. */
const rowTable = (
  cells: string,
  attributes: Attributes = { align: 'center', width: '100%' },
): string =>
  element(
    'table',
    { ...attributes, ...layoutTable },
    element('tbody', {}, element('tr', {}, cells)),
  );

const cell = (content: string, attributes: Attributes = {}): string =>
  element('td', attributes, content);

// Marks of a text: bold, italic, links and the like, as nested elements.

/** From the outside to the inside. `strike` and `code` come last, in the order of the document. */
const order = ['link', 'textStyle', 'italic', 'bold', 'underline'];

const elements: Record<string, (mark: BlockNode, text: string) => string> = {
  bold: (_mark, text) => element('strong', {}, text),
  italic: (_mark, text) => element('em', {}, text),
  underline: (_mark, text) => element('u', {}, text),
  strike: (_mark, text) => element('s', {}, text),
  code: (_mark, text) => element('code', {}, text),
  textStyle: (mark, text) => {
    const color = textAttribute(mark, 'color');
    return element('span', { style: color && `color:${color}` }, text);
  },
  link: (mark, text) =>
    element(
      'a',
      {
        href: safeLink(textAttribute(mark, 'href') ?? '#'),
        rel: textAttribute(mark, 'rel') ?? 'noopener noreferrer nofollow',
        target: textAttribute(mark, 'target') ?? '_blank',
      },
      text,
    ),
};

/** The address of a link; undefined for one that would run a script. */
const safeLink = (href: string): string | undefined =>
  /^\s*javascript:/i.test(href) ? undefined : href;

/** The HTML of a text with its marks round it. Throws for a mark that the service does not know. */
function marked(html: string, marks: readonly BlockNode[] = []): string {
  for (const { type = '' } of marks)
    if (!Object.hasOwn(elements, type)) throw new Error(`Mark type "${type}" is not supported.`);
  const rank = ({ type = '' }: BlockNode) =>
    order.includes(type) ? order.indexOf(type) : order.length;
  // The mark that is applied first ends up innermost.
  const fromInside = [
    ...marks.filter((mark) => rank(mark) === order.length),
    ...marks.filter((mark) => rank(mark) < order.length).sort((a, b) => rank(b) - rank(a)),
  ];
  return fromInside.reduce((text, mark) => elements[mark.type ?? '']?.(mark, text) ?? text, html);
}

// Blocks that are more than an element round their children: buttons, images, columns, cards.

function button(node: BlockNode): string {
  const url = textAttribute(node, 'url') || undefined;
  const text = escapeHtml(textAttribute(node, 'text') ?? '');
  const inner = `${element('span', {}, '')}${element('span', {}, text)}${element('span', {}, '')}`;
  return rowTable(cell(element('a', { href: url && safeLink(url), target: '_blank' }, inner)));
}

/** An absent title is replaced by the alternative text, and the other way round. */
const picture = (node: BlockNode, name: string): string => {
  const title = textAttribute(node, 'title') || textAttribute(node, 'alt') || name;
  const alt = textAttribute(node, 'alt') || textAttribute(node, 'title') || name;
  return emptyElement('img', { title, alt, src: textAttribute(node, 'src') ?? '', ...size(node) });
};

function size(node: BlockNode) {
  const pixels = (name: string) => {
    const value = Number(attribute(node, name));
    return value > 0 ? value : undefined;
  };
  return { width: pixels('width'), height: pixels('height') };
}

function linked(node: BlockNode, html: string): string {
  const link = textAttribute(node, 'externalLink');
  if (!link) return html;
  return element('a', { href: safeLink(link), rel: 'noopener noreferrer', target: '_blank' }, html);
}

const centered = (node: BlockNode, otherwise: string, html: string): string =>
  rowTable(cell(html, { align: textAttribute(node, 'alignment') ?? otherwise }));

const image = (node: BlockNode): string =>
  centered(node, 'center', linked(node, picture(node, 'Image')));

const logo = (node: BlockNode): string => centered(node, 'left', picture(node, 'Logo'));

const inlineImage = (node: BlockNode): string =>
  linked(
    node,
    emptyElement('img', {
      src: textAttribute(node, 'src') ?? '',
      alt: textAttribute(node, 'alt'),
      title: textAttribute(node, 'title'),
      width: 20,
      height: 20,
      ...definedSize(node),
    }),
  );

const definedSize = (node: BlockNode) =>
  Object.fromEntries(Object.entries(size(node)).filter(([, value]) => value !== undefined));

/** Columns without a width share what the others leave. */
function columns(node: BlockNode, render: (column: BlockNode) => string): string {
  const children = node.content ?? [];
  const fixed = children.map((column) => Number(attribute(column, 'width')) || 0);
  const free = fixed.filter((width) => width === 0).length;
  const left = 100 - fixed.reduce((sum, width) => sum + width, 0);
  const cells = children.map((column, index) =>
    cell(rowTable(cell(render(column)), { align: 'center', width: '100%', class: 'tab-pad' }), {
      width: `${fixed[index] || Math.max(0, left / free)}%`,
      class: 'tab-col-full',
    }),
  );
  return rowTable(cells.join(''), { align: 'center', width: '100%', class: 'tab-row-full' });
}

function linkCard(node: BlockNode): string {
  const text = (name: string) => textAttribute(node, name) ?? '';
  const link = safeLink(text('link'));
  const title = text('title');
  const pictures = text('image')
    ? rowTable(cell(emptyElement('img', { title, alt: title, src: text('image') })))
    : '';
  const badge = text('badgeText')
    ? cell(`${element('span', {}, escapeHtml(text('badgeText')))} `)
    : '';
  const more = element(
    'a',
    { href: link, rel: 'noopener noreferrer' },
    escapeHtml(text('linkTitle')),
  );
  const heading = rowTable(`${cell(element('p', {}, escapeHtml(title)))}${badge}`, {
    width: 'auto',
  });
  const description = element('p', {}, `${escapeHtml(text('description'))} ${more}`);
  return element(
    'a',
    { href: link, rel: 'noopener noreferrer', target: '_blank' },
    `${pictures}${rowTable(cell(`${heading}${description}`))}`,
  );
}

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
