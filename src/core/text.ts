// Small functions on text, shared by all layers.

/** `orderBy` as `order-by`. */
export const kebabCase = (name: string) =>
  name.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);

/** Lines broken at blanks, no wider than `width`. A longer word, such as a path, stays whole on its own line. */
export function wrapWords(
  text: string,
  width: number,
  widthOf: (part: string) => number = (part) => part.length,
): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || widthOf(line) + 1 + widthOf(word) > width) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
