// Spaces around texts, and invisible characters, which are often copied along with an id. Invisible are control
// characters, zero-width characters, the byte order mark and bidi controls.

const spaces = /[\t-\r \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const zeroWidth = /[\u0085\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;
const invisible = new RegExp(`[\\0-\\x1f\\x7f-\\x9f]|${zeroWidth.source}`, 'g');
/** Joiners and direction marks, which emoji and some scripts need inside a word. */
const inner = /[\u061c\u200c-\u200f]/;

const isSpace = (character: string) => spaces.test(character);
const isBlank = (character: string) => isSpace(character) || zeroWidth.test(character);

/** Whether a text is not empty and has neither spaces nor zero-width characters at its ends. Fast for printable ASCII. */
export function isTrimmed(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  if (first > 32 && first < 127 && last > 32 && last < 127) return true;
  return text !== '' && !isBlank(text.charAt(0)) && !isBlank(text.slice(-1));
}

/** Removes spaces and zero-width characters around an address. */
export const trimWhitespace = (text: string): string => trim(text, isBlank);

/** Removes spaces around an id. An invisible character may be a part of the id, so it stays. */
export const trimSpaces = (text: string): string => trim(text, isSpace);

function trim(text: string, isRemoved: (character: string) => boolean): string {
  if (isTrimmed(text)) return text;
  let [start, end] = [0, text.length];
  while (start < end && isRemoved(text.charAt(start))) start += 1;
  while (end > start && isRemoved(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Why a text without spaces around it cannot be an id; undefined if it can. */
export function findIdProblem(id: string): string | undefined {
  if (/^[ -~]*$/.test(id)) return undefined;
  for (const { 0: character, index } of id.matchAll(invisible)) {
    const isInside = index > 0 && index < id.length - 1;
    if (isInside && inner.test(character)) continue;
    return `contains the invisible character U+${hexCode(character).toUpperCase()}`;
  }
  return undefined;
}

/** Whether a text can be sent as an id as it is. */
export const isId = (text: string): boolean => isTrimmed(text) && findIdProblem(text) === undefined;

/** The text with invisible characters, and spaces other than U+0020, as codes such as `\u200b`. */
export const showInvisible = (text: string): string =>
  text.replace(/[^\x21-\x7e ]/g, (character) =>
    isSpace(character) || character.search(invisible) === 0
      ? `\\u${hexCode(character)}`
      : character,
  );

/** Removes all invisible characters, and spaces around the text. */
export const removeInvisible = (text: string): string => trimSpaces(text.replace(invisible, ''));

const hexCode = (character: string) => character.charCodeAt(0).toString(16).padStart(4, '0');

// Protects CSV cells that a spreadsheet would run as a formula with an apostrophe, and removes it again.

/** Adds an apostrophe to a text that a spreadsheet would run, also to one that has apostrophes before it. */
export const protectFormula = (text: string): string =>
  /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;

/** Removes the apostrophe that `protectFormula` added. */
export const unprotectFormula = (text: string): string =>
  /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
