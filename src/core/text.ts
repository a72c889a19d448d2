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

/**
 * The lines of a message on a terminal of this width. A command at its end, as in `Resume: svc …`, gets its own line and
 * stays whole, so that it can be copied.
 */
export function wrapMessage(
  text: string,
  width: number,
  widthOf: (part: string) => number = (part) => part.length,
): string[] {
  if (widthOf(text) <= width || text.includes('\n')) return [text];
  const [, prose = text, command] = /^(.*?:) (svc .*)$/.exec(text) ?? [];
  const indent = /^ */.exec(prose)?.[0] ?? '';
  const [first = '', ...others] = wrapWords(
    prose.slice(indent.length),
    width - indent.length - 2,
    widthOf,
  );
  const below = indent === '' ? '' : `${indent}  `;
  return [
    indent + first.trimEnd(),
    ...others.map((line) => below + line.trim()),
    ...(command === undefined ? [] : [`  ${command}`]),
  ];
}
