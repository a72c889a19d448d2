// The HTML of an e-mail as plain text, as a mail program without HTML shows it: blocks become lines, links are numbered.
import { compile, type FormatCallback, type HtmlToTextOptions } from 'html-to-text';

export interface HtmlText {
  text: string;
  /** The addresses of the links, in order: the first is `[1]` in the text. */
  links: string[];
}

/** Characters that only control how lines break. */
const invisible = /\u200b|\u00ad|\ufeff|\u034f/g;

export function htmlText(html: string): HtmlText {
  const links: string[] = [];
  return { text: converted(html, { links }), links };
}

/** Returns the text without the numbers of links. */
export const plainText = (html: string): string => converted(html, {});

interface Metadata {
  links?: string[];
}

let convert: ((html: string, metadata: Metadata) => string) | undefined;

function converted(html: string, metadata: Metadata): string {
  // Compiling the options takes longer than converting an e-mail.
  convert ??= compile({ ...options, formatters });
  return convert(html, metadata)
    .replace(invisible, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** Links with the same address have the same number. */
const numbered: FormatCallback = ({ children, attribs: { href } }, walk, builder) => {
  walk(children, builder);
  const { links } = (builder as typeof builder & { metadata: Metadata }).metadata;
  if (links && href) builder.addLiteral(` [${links.indexOf(href) + 1 || links.push(href)}]`);
};

const formatters: Record<string, FormatCallback> = {
  numbered,
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
