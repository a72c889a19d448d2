// Limits the nesting depth of JSON text. The text is checked before it is parsed, because the code that walks the
// value is recursive and would overflow its stack.

const maxDepth = 100;

export const tooDeepReason = `nested too deeply: more than ${maxDepth} levels`;

const quote = 0x22;
const backslash = 0x5c;

/** Depth limit of a response: a row of maximum depth inside a list of the service, and less than the limit of jq. */
export const maxResponseDepth = 120;

/** Whether JSON text nests deeper than `most` levels. Also works for invalid JSON. */
export function isTooDeep(text: string, most = maxDepth): boolean {
  // Each level takes two brackets, so a shorter text cannot be valid JSON of that depth.
  if (text.length <= 2 * most || !hasMoreThan(text, '{', '[', most)) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isText = !isText;
    else if (isText) at += code === backslash ? 1 : 0;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) depth -= 1;
    if (depth > most) return true;
  }
  return false;
}

/** Whether two characters together occur more than `most` times. Fast, because most texts have few brackets. */
function hasMoreThan(text: string, first: string, second: string, most: number): boolean {
  let count = 0;
  for (const mark of [first, second]) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** Whether a path such as `a.b.c` has more levels than JSON may have. */
export const isPathTooDeep = (names: readonly string[]): boolean => names.length > maxDepth;
