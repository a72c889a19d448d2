// Blanks around identifiers: they come along when an id is copied, are invisible, and make it another id. Besides
// Unicode's blanks these are zero-width characters, the byte order mark and marks of direction.

const whitespace = /[\s\u0085\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

const isWhitespaceAt = (text: string, at: number) => whitespace.test(text.charAt(at));

/** Whether a text that is not empty has no blank at its ends. Most have printable ASCII there. */
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
