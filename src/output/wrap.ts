// Breaks text into lines for a terminal.
import stringWidth from 'string-width';
import { wrapMessage, wrapWords } from '../core/text.ts';

/** Lines broken at blanks, no wider than `width`. A longer word, such as a path, stays whole on its own line. */
export const wrapTerminal = (text: string, width: number): string[] =>
  wrapWords(text, width, stringWidth);

/** The lines of a message with a hanging indent. Commands and paths stay whole. */
export const wrapTerminalMessage = (text: string, width: number): string[] =>
  wrapMessage(text, width, stringWidth);

/** Like `wrapTerminal`, but a word that is wider than a line is split. */
export const wrapText = (text: string, width: number): string[] =>
  wrapTerminal(text, width).flatMap((line) => splitAt(line, width));

function splitAt(text: string, width: number): string[] {
  if (stringWidth(text) <= width) return [text];
  const lines = [''];
  let size = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = stringWidth(segment);
    if (size > 0 && size + next > width) {
      lines.push('');
      size = 0;
    }
    lines[lines.length - 1] += segment;
    size += next;
  }
  return lines;
}
