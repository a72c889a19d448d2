// The HTML of an e-mail as plain text, as a mail program without HTML shows it: blocks become lines, links are numbered.

export interface HtmlText {
  text: string;
  /** The addresses of the links, in order: the first is `[1]` in the text. */
  links: string[];
}

/** A comment, a tag with its name and attributes, or text. */
const token =
  /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][\w:-]*)((?:"[^"]*"|'[^']*'|[^>"'])*)(?:>|$)|[^<]+|</gi;

/** Elements whose content is not shown. */
const unseen = new Set(['head', 'style', 'script', 'title', 'template', 'noscript']);

const blocks = new Set([
  ...[
    'address',
    'article',
    'blockquote',
    'center',
    'div',
    'dl',
    'footer',
    'form',
    'header',
    'main',
  ],
  ...['ol', 'section', 'table', 'tr', 'ul', 'li', 'dt', 'dd', 'pre', 'nav', 'aside', 'figure'],
]);
/** Elements with an empty line before and after them. */
const paragraphs = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr']);

export function htmlText(html: string): HtmlText {
  const links: string[] = [];
  let text = '';
  let hidden: string | undefined;
  let link: number | undefined;
  const breakLine = (count: number) => {
    text = text.trimEnd();
    if (text !== '') text += '\n'.repeat(count);
  };
  for (const [all, slash, tag = '', attributes = ''] of html.matchAll(token)) {
    const name = tag.toLowerCase();
    const isEnd = slash === '/';
    if (hidden !== undefined) {
      if (isEnd && name === hidden) hidden = undefined;
      continue;
    }
    if (tag === '') {
      if (!all.startsWith('<!--')) text += textAfter(text, all);
      continue;
    }
    if (!isEnd && unseen.has(name) && !attributes.endsWith('/')) hidden = name;
    else if (name === 'br') text = `${text.replace(/ +$/, '')}\n`;
    else if (paragraphs.has(name)) breakLine(2);
    else if (blocks.has(name)) breakLine(1);
    else if (name === 'td' || name === 'th') text += textAfter(text, ' ');
    if (name === 'li' && !isEnd) text += '• ';
    if (name === 'hr' && !isEnd) text += '----\n\n';
    if (name === 'img') text += textAfter(text, attributeOf(attributes, 'alt') ?? '');
    if (name === 'a' && isEnd && link !== undefined) {
      text = `${text.trimEnd()} [${link}]`;
      link = undefined;
    }
    const url = name === 'a' && !isEnd ? attributeOf(attributes, 'href') : undefined;
    if (url) link = numberOf(links, url);
  }
  return { text: text.replace(/\n{3,}/g, '\n\n').trim(), links };
}

/** White space is one space, and none at the beginning of a line. */
function textAfter(text: string, added: string): string {
  const plain = decodeEntities(added).replace(/\u200b|\u00ad|\ufeff|\u034f/g, '');
  const line = plain.replace(/[ \t\r\n\f\u00a0]+/g, ' ');
  return text === '' || /\s$/.test(text) ? line.trimStart() : line;
}

/** The same address has one number. */
function numberOf(links: string[], url: string): number {
  const known = links.indexOf(url);
  return known === -1 ? links.push(url) : known + 1;
}

/** The value of an attribute within the text of a tag. */
function attributeOf(attributes: string, name: string): string | undefined {
  const pattern = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i');
  const match = pattern.exec(attributes);
  return match ? decodeEntities(match[1] ?? match[2] ?? match[3] ?? '') : undefined;
}

const entities: Record<string, string> = {
  ...{
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    shy: '',
    zwnj: '\u200c',
    zwj: '\u200d',
  },
  ...{ copy: '©', reg: '®', trade: '™', euro: '€', pound: '£', bull: '•', middot: '·' },
  ...{ ndash: '–', mdash: '—', hellip: '…', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”' },
  ...{ laquo: '«', raquo: '»', larr: '←', rarr: '→', times: '×', deg: '°' },
};

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
