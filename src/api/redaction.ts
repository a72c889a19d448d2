// Keeps the API key in use out of everything that a response can carry on: data, messages, logs, rejects.

/** A shorter key could be part of any word. */
const shortest = 8;

/**
 * Replaces the key in a text, in every form in which a service or proxy can quote it: plain, escaped in JSON
 * (also JSON inside JSON), percent-encoded, and in Base64, alone or as part of `ApiKey <key>`.
 */
export function redactionOf(apiKey: string, mask: string): (text: string) => string {
  if (apiKey.length < shortest) return (text) => text;
  const forms = [apiKey, ...base64Forms(apiKey)];
  const plain = [...new Set(forms.flatMap((form) => [form, urlSafe(form)]))];
  const canBeEscaped = plain.some((form) => /[^A-Za-z0-9]/.test(form)) ? /\\|%/ : /\\u|%/;
  let escaped: RegExp | undefined;
  return (text) => {
    const shown = plain.reduce((left, form) => left.replaceAll(form, mask), text);
    if (!canBeEscaped.test(shown)) return shown;
    // Compiling it takes longer than a whole request, and few responses have escapes.
    escaped ??= new RegExp(plain.map((form) => [...form].map(anyEscape).join('')).join('|'), 'g');
    return shown.replace(escaped, mask);
  };
}

const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/**
 * The Base64 of the key at each of the three places that it can have in a group of three bytes, without the
 * characters at both ends that also hold bits of their neighbours.
 */
function base64Forms(apiKey: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + apiKey);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(from, to);
  });
}

/**
 * A character of a key, which is ASCII, as a regular expression: as it is, behind backslashes, as `\u0041`, as
 * `%41`. Repetitions are bounded, so that no text takes long to search.
 */
function anyEscape(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${anyCase(byte.toString(16).padStart(2, '0'))}`)
    .join('');
  const plain = /[A-Za-z0-9]/.test(character) ? character : `\\\\{0,8}\\u${code}`;
  return `(?:${plain}|\\\\{1,8}u${anyCase(code)}|${percent})`;
}

const anyCase = (hex: string) =>
  hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
