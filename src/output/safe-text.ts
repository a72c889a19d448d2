// Makes untrusted text safe for a terminal: it must not move the cursor, change colors, set titles, open links or
// reverse the reading direction. All output must use this module for that.

/** Also matches valid surrogate pairs, so that the remaining matches of surrogates are lone ones. */
const unsafeCharacterOrPair =
  /[\ud800-\udbff][\udc00-\udfff]|[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

/** Whether a text has a character, other than line feeds and tabs, that `safeMultilineText` escapes. */
export const hasUnsafeCharacter = (text: string): boolean => safeMultilineText(text) !== text;

const shortEscapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Escapes control characters, zero-width and bidirectional characters and lone surrogates, including line feeds. */
export function safeText(text: string): string {
  return replaceUnsafe(text, (character, code) => shortEscapes[character] ?? hexEscape(code));
}

/** Like `safeText`, but keeps line feeds and tabs, for tab-separated text and YAML. */
export const safeMultilineText = (text: string): string =>
  replaceUnsafe(text, (character, code) =>
    character === '\n' || character === '\t'
      ? character
      : (shortEscapes[character] ?? hexEscape(code)),
  );

/** Like `safeMultilineText`, but also keeps the line ends of Windows, which cells of CSV can have. */
export const safeLines = (text: string): string =>
  text.split('\r\n').map(safeMultilineText).join('\r\n');

/** Escapes unsafe characters in JSON text. Keeps its JSON value and the line feeds between members. */
export const safeJson = (json: string): string =>
  replaceUnsafe(json, (character, code) => (character === '\n' ? character : `\\u${hex(code, 4)}`));

/** Replaces unsafe characters, but not valid surrogate pairs. */
const replaceUnsafe = (
  text: string,
  toEscape: (character: string, code: number) => string,
): string =>
  text.replace(unsafeCharacterOrPair, (character) =>
    character.length === 2 ? character : toEscape(character, character.charCodeAt(0)),
  );

const hexEscape = (code: number) => (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
