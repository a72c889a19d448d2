/** The text; undefined for an empty one, and for any other value. */
export const nonEmpty = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** The start of a long text, with an ellipsis. No character is cut in half. */
export const shorten = (text: string, maxLength = 40): string =>
  text.length > maxLength ? `${text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** `orderBy` as `order-by`. */
export const kebabCase = (name: string) =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** `order-by` as `orderBy`. */
export const camelCase = (name: string) =>
  name.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());

/** The texts on one line, each as a sentence. */
export const joinSentences = (texts: readonly string[]): string =>
  texts.map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ');

/** `a`, `a and b`, `a, b and c`. */
export const listText = (items: readonly string[], conjunction: 'and' | 'or' = 'and'): string =>
  items.length < 2
    ? items.join('')
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items.at(-1)}`;

/** The first names and the number of the others: `a, b and 3 others`. */
export const listSome = (
  names: readonly string[],
  max: number,
  conjunction: 'and' | 'or' = 'and',
): string => {
  const others = names.length - max;
  return listText(
    others > 0 ? [...names.slice(0, max), `${grouped(others)} others`] : names,
    conjunction,
  );
};

/** The first names, and the number of the others as the last one: `3 more`. */
export const firstNames = (names: readonly string[], max: number): readonly string[] =>
  names.length > max ? [...names.slice(0, max), `${names.length - max} more`] : names;

/** A path in a value, such as `environments[0].topics[2].key`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');

/** A word, or words in backticks or shell quotes with the text around them. Empty at a blank that has no word before it. */
const wordOrCode =
  /(?:[^ `']*(?:`[^`]*`|(?<!\w)'[^']*'(?!\w)))+[^ `']*(?= |$)|[^ ]+|(?<= |^)(?= |$)/g;

/**
 * Lines broken at blanks, no wider than `width`. A longer word, such as a path or a command in backticks, stays
 * whole on its own line.
 */
export const wrapWords = (
  text: string,
  width: number,
  widthOf: (part: string) => number = (part) => part.length,
): string[] => joinWords(text.match(wordOrCode) ?? [], width, widthOf);

/** `hang`: the indent of all lines but the first. */
function joinWords(
  words: readonly string[],
  width: number,
  widthOf: (part: string) => number,
  hang = '',
): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(word);
    else if (widthOf(line) + 1 + widthOf(word) > width) lines.push(hang + word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/**
 * The lines of a message on a terminal of this width, with a hanging indent. A command stays whole, so that it can be
 * copied: one in backticks, and one at the end, as in `Resume: svc …`, which gets its own line. A quoted value
 * stays whole, too.
 */
export function wrapMessage(
  text: string,
  width: number,
  widthOf: (part: string) => number = (part) => part.length,
): string[] {
  if (widthOf(text) <= width || text.includes('\n')) return [text];
  const [, prose = text, command] = /^(.*?:) (svc .*)$/.exec(text) ?? [];
  const indent = /^ */.exec(prose)?.[0] ?? '';
  const [first = '', ...others] = prose.slice(indent.length).match(wordOrCode) ?? [];
  const hang = `${indent}  `;
  return [
    ...joinWords([indent + first, ...others], width, widthOf, hang).map((line) => line.trimEnd()),
    ...(command === undefined ? [] : [hang + command]),
  ];
}

// Formats counts for messages.

/** `1,234,567`. */
export const grouped = (count: number) => count.toLocaleString('en-US');

/** `1 row`, `2,000 rows`, `2 addresses`. */
export const counted = (count: number, noun: string) =>
  `${grouped(count)} ${noun}${count === 1 ? '' : noun.endsWith('s') ? 'es' : 's'}`;

// Quotes text for a shell, for commands in messages, and splits such commands.

/** In single quotes. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** As one word, quoted only if necessary. The quotes distinguish an id such as `--yes` from an option. */
export const shellWord = (text: string): string =>
  /^-./.test(text) ? shellQuote(text) : optionOrWord(text);

const optionOrWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text));

/** A command line of words, of which those with a leading hyphen are options. */
export const shellLine = (words: readonly string[]) => words.map(optionOrWord).join(' ');

export interface ShellWord {
  /** As in the command line. */
  quoted: string;
  text: string;
}

/** Splits a command line whose words `shellWord` has quoted. A quote without an end reaches to the end of the line. */
export const splitShellWords = (line: string): ShellWord[] =>
  (line.match(/(?:'[^']*'?|\\.?|[^\s'\\])+/gs) ?? []).map((quoted) => ({
    quoted,
    text: quoted.replaceAll(/'([^']*)'?|\\(.?)/gs, '$1$2'),
  }));

/** The beginning of the content of a message as one line. Only e-mails are HTML. */
export function messageExcerpt(channel: string, content: string): string {
  const beginning = content.slice(0, 2_000);
  return (channel === 'email' ? withoutMarkup(beginning) : beginning).replace(/\s+/g, ' ').trim();
}

const withoutMarkup = (html: string) =>
  html
    .replace(/<(style|script|title|head)\b[^>]*>[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*(>|$)/g, ' ');
