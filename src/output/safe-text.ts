// The one place where text from outside becomes fit for a terminal: nothing in it may move the cursor,
// change colours, set titles, open links or reverse the reading direction.

const unsafe =
  /[\ud800-\udbff][\udc00-\udfff]|[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes control characters, escapes, bidi controls and lone surrogates visible; one line stays one line. */
export function safeText(text: string): string {
  return text.replace(unsafe, (found) => {
    if (found.length === 2) return found;
    const code = found.charCodeAt(0);
    return names[found] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
  });
}

/** As `safeText`, keeping line breaks: for messages of several lines that the program itself wrote. */
export const safeLines = (text: string) => text.split('\n').map(safeText).join('\n');

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
