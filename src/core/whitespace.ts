// Detects and removes whitespace around ids, which is invisible and often copied along with an id. Includes Unicode
// whitespace, zero-width characters, the byte order mark and bidi controls.

const whitespace = /[\s\u0085\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

const isWhitespaceAt = (text: string, at: number) => whitespace.test(text.charAt(at));

/** Whether a text is not empty and has no whitespace at its ends. Printable ASCII is checked first, for speed. */
export function isTrimmed(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first > 32 && first < 127 && last > 32 && last < 127) return true;
  return text !== '' && !isWhitespaceAt(text, 0) && !isWhitespaceAt(text, text.length - 1);
}

export function trimWhitespace(text: string): string {
  if (isTrimmed(text)) return text;
  let [start, end] = [0, text.length];
  while (start < end && isWhitespaceAt(text, start)) start += 1;
  while (end > start && isWhitespaceAt(text, end - 1)) end -= 1;
  return text.slice(start, end);
}
