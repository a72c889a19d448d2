// The HTML of an e-mail as lines of text, with its links numbered below.
import { htmlText } from '../core/html-text.ts';

export function htmlLines(html: string): string[] {
  const { text, links } = htmlText(html);
  return [
    ...text.split('\n'),
    ...(links.length === 0 ? [] : ['', ...links.map((url, index) => `[${index + 1}] ${url}`)]),
  ];
}
