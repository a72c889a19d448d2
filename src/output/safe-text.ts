// Makes untrusted text safe for a terminal: it must not move the cursor, change colors, set titles, open links or
// reverse the reading direction. The only module that does this.

const unsafe =
  /[\ud800-\udbff][\udc00-\udfff]|[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/g;

const names: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Makes control characters, escapes, bidi controls and lone surrogates visible. Line feeds are escaped too. */
export function safeText(text: string): string {
  return visible(text, (found, code) => names[found] ?? escaped(code));
}

/** Like `safeText`, but keeps line feeds and tabs, for tab-separated text and YAML. */
export const safeBlock = (text: string): string =>
  visible(text, (found, code) =>
    found === '\n' || found === '\t' ? found : (names[found] ?? escaped(code)),
  );

/** Escapes unsafe characters in JSON text. The value and the line feeds between members stay the same. */
export const safeJson = (json: string): string =>
  visible(json, (found, code) => (found === '\n' ? found : `\\u${hex(code, 4)}`));

/** Replaces unsafe characters. A valid surrogate pair is a normal character. */
const visible = (text: string, shown: (found: string, code: number) => string): string =>
  text.replace(unsafe, (found) => (found.length === 2 ? found : shown(found, found.charCodeAt(0))));

const escaped = (code: number) => (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);

const hex = (code: number, width: number) => code.toString(16).padStart(width, '0');
