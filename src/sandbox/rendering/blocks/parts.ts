// Blocks that are more than an element round their children: buttons, images, columns, cards.
import { attribute, type BlockNode, textAttribute } from './document.ts';
import { cell, element, emptyElement, escapeHtml, rowTable } from './html.ts';
import { safeLink } from './marks.ts';

export function button(node: BlockNode): string {
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

export const image = (node: BlockNode): string =>
  centered(node, 'center', linked(node, picture(node, 'Image')));

export const logo = (node: BlockNode): string => centered(node, 'left', picture(node, 'Logo'));

export const inlineImage = (node: BlockNode): string =>
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
export function columns(node: BlockNode, render: (column: BlockNode) => string): string {
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

export function linkCard(node: BlockNode): string {
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
