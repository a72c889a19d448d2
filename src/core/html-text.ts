// The HTML of an e-mail as plain text, as a mail program without HTML shows it: blocks become lines, links are numbered.
import { convert, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

export interface HtmlText {
  text: string;
  /** The addresses of the links, in order: the first is `[1]` in the text. */
  links: string[];
}

/** Characters that only control how lines break. */
const invisible = /\u200b|\u00ad|\ufeff|\u034f/g;

export function htmlText(html: string): HtmlText {
  const links: string[] = [];
  const numbered: FormatCallback = (element, walk, builder) => {
    walk(element.children, builder);
    const { href } = element.attribs;
    // The same address has one number.
    if (href) builder.addLiteral(` [${links.indexOf(href) + 1 || links.push(href)}]`);
  };
  const text = convert(html, { ...options, formatters: { ...formatters, numbered } });
  return {
    text: text
      .replace(invisible, '')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    links,
  };
}

const formatters: Record<string, FormatCallback> = {
  description: ({ attribs }, _walk, builder) => builder.addInline(attribs.alt ?? ''),
  cell: ({ children }, walk, builder) => {
    walk(children, builder);
    builder.addInline(' ');
  },
  rule: (_element, _walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 2 });
    builder.addLiteral('----');
    builder.closeBlock({ trailingLineBreaks: 2 });
  },
};

const heading = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 2 };
const options: HtmlToTextOptions = {
  wordwrap: false,
  preserveNewlines: false,
  whitespaceCharacters: ' \t\r\n\f\u00a0',
  selectors: [
    { selector: 'a', format: 'numbered' },
    { selector: 'img', format: 'description' },
    { selector: 'hr', format: 'rule' },
    { selector: 'ul', options: { itemPrefix: '• ' } },
    { selector: 'td', format: 'cell' },
    { selector: 'th', format: 'cell' },
    { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
    ...['head', 'style', 'script', 'title', 'template', 'noscript'].map((selector) => ({
      selector,
      format: 'skip',
    })),
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: heading })),
  ],
};
