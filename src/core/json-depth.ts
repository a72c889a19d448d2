// How deep JSON text nests. Text is checked before it is parsed: what walks the value later is recursive, and a
// hundred thousand brackets would overflow its stack.

const maxDepth = 100;

export const tooDeepReason = `nested too deeply: more than ${maxDepth} levels`;

const quote = 0x22;
const backslash = 0x5c;

/** How deep a response may nest: a row of the deepest data inside the service's lists, and within what jq reads. */
export const maxResponseDepth = 120;

/**
 * Whether JSON text nests deeper than a row or an option may, or than the given number of levels; also right for
 * text that is not quite JSON.
 */
export function isTooDeep(text: string, most = maxDepth): boolean {
  // Each level takes two brackets; a shorter text that does not close them is no JSON.
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

/** Whether two marks together occur more than `most` times. Most texts have few brackets, so this costs little. */
function hasMoreThan(text: string, one: string, other: string, most: number): boolean {
  let count = 0;
  for (const mark of [one, other]) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      count += 1;
      if (count > most) return true;
    }
  }
  return false;
}

/** Whether `a.b.c` makes more levels than JSON may have. */
export const isPathTooDeep = (names: readonly string[]): boolean => names.length > maxDepth;
