// Removes the API key in use from responses, so that it does not reach output, logs or reject files.

/** A shorter key could occur in ordinary text, so it is not redacted. */
const minKeyLength = 8;

/**
 * Returns a function that replaces the key in a text, in every encoding that a service or proxy can return: plain,
 * escaped in JSON (also nested JSON), percent-encoded, and in Base64, alone or as part of `ApiKey <key>`.
 */
export function createRedactor(apiKey: string, mask: string): (text: string) => string {
  if (apiKey.length < minKeyLength) return (text) => text;
  const forms = [apiKey, ...base64Forms(apiKey)];
  const plain = [...new Set(forms.flatMap((form) => [form, toUrlSafe(form)]))];
  const canBeEscaped = plain.some((form) => /[^A-Za-z0-9]/.test(form)) ? /\\|%/ : /\\u|%/;
  let escaped: RegExp | undefined;
  return (text) => {
    const result = plain.reduce((left, form) => left.replaceAll(form, mask), text);
    if (!canBeEscaped.test(result)) return result;
    // Compiled on demand: it takes longer than a whole request, and few responses contain escapes.
    escaped ??= new RegExp(
      plain.map((form) => [...form].map(escapePattern).join('')).join('|'),
      'g',
    );
    return result.replace(escaped, mask);
  };
}

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/**
 * Base64 encodes groups of three bytes, so the key has three encodings, one for each offset in a group. The first and
 * last characters are omitted if they also encode bits of the neighboring bytes.
 */
function base64Forms(apiKey: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + apiKey);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(from, to);
  });
}

/**
 * Returns a pattern for an ASCII character of the key: plain, after backslashes, as `\u0041` or as `%41`. Repetitions
 * are bounded to keep the search fast for any text.
 */
function escapePattern(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${anyCasePattern(byte.toString(16).padStart(2, '0'))}`)
    .join('');
  const plain = /[A-Za-z0-9]/.test(character) ? character : `\\\\{0,8}\\u${code}`;
  return `(?:${plain}|\\\\{1,8}u${anyCasePattern(code)}|${percent})`;
}

const anyCasePattern = (hex: string) =>
  hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
