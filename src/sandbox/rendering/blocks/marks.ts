// Marks of a text: bold, italic, links and the like, as nested elements.
import { type BlockNode, textAttribute } from './document.ts';
import { element } from './html.ts';

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
export const safeLink = (href: string): string | undefined =>
  /^\s*javascript:/i.test(href) ? undefined : href;

/** The HTML of a text with its marks round it. Throws for a mark that the service does not know. */
export function marked(html: string, marks: readonly BlockNode[] = []): string {
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
