// Removes the API key in use from responses, so that it does not appear in output, logs or rejects files.

/** Shorter keys are not redacted, because they could occur in ordinary text. */
const minRedactedLength = 8;

/**
 * Returns a function that replaces the key in a text, in every encoding that a service or proxy can return: plain,
 * escaped in JSON (including JSON nested in a JSON string), percent-encoded, or in Base64, alone or as part of
 * `ApiKey <key>`.
 */
export function createRedactor(apiKey: string, mask: string): (text: string) => string {
  if (apiKey.length < minRedactedLength) return (text) => text;
  const encodings = [apiKey, ...base64Encodings(apiKey)];
  const unescaped = [...new Set(encodings.flatMap((form) => [form, toUrlSafe(form)]))];
  const escapeSign = unescaped.some((form) => /[^A-Za-z0-9]/.test(form)) ? /\\|%/ : /\\u|%/;
  let escapedPattern: RegExp | undefined;
  return (text) => {
    const result = unescaped.reduce((redacted, form) => redacted.replaceAll(form, mask), text);
    if (!escapeSign.test(result)) return result;
    // Compiled on demand: compiling takes longer than a whole request, and few responses contain escapes.
    escapedPattern ??= new RegExp(
      unescaped.map((form) => [...form].map(patternOfCharacter).join('')).join('|'),
      'g',
    );
    return result.replace(escapedPattern, mask);
  };
}

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/**
 * Base64 encodes groups of three bytes, so the key has three encodings, one for each offset in a group. A first or
 * last character that also encodes bits of a neighboring byte is omitted.
 */
function base64Encodings(apiKey: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + apiKey);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(from, to);
  });
}

/**
 * Returns a pattern that matches an ASCII character of the key: plain, after backslashes, as `\u0041` or as `%41`.
 * Repetitions are bounded to keep the search fast for any text.
 */
function patternOfCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${caseInsensitivePattern(byte.toString(16).padStart(2, '0'))}`)
    .join('');
  const plain = /[A-Za-z0-9]/.test(character) ? character : `\\\\{0,8}\\u${code}`;
  return `(?:${plain}|\\\\{1,8}u${caseInsensitivePattern(code)}|${percent})`;
}

const caseInsensitivePattern = (hex: string) =>
  hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
