import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/api/attempt.ts';

const plainKey = '0123456789abcdef0123456789abcdef';
const specialKey = 'k/ey+"with\\odd=characters~';
const json = JSON.stringify;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const unicode = (text: string, change: (code: string) => string) =>
  [...text]
    .map((character) => `\\u${change(character.charCodeAt(0).toString(16).padStart(4, '0'))}`)
    .join('');
const upper = (code: string) => code.toUpperCase();
const lower = (code: string) => code.toLowerCase();

describe.each([plainKey, specialKey])('the key %s is redacted', (key) => {
  const redacted = createRedactor(key, '********');

  it.each<[string, string]>([
    ['plain', key],
    ['in a JSON string', json(key).slice(1, -1)],
    ['in nested JSON', json(json(key).slice(1, -1)).slice(1, -1)],
    ['with escaped slashes', key.replaceAll('/', '\\/')],
    ['in Unicode escapes, upper case', unicode(key, upper)],
    ['in Unicode escapes, lower case', unicode(key, lower)],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in lower case', encodeURIComponent(key).replace(/%../g, lower)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ])('%s', (_name, form) => {
    expect(redacted(`<${form}>`)).toBe('<********>');
  });

  it.each(['', 'A', 'Ap', 'ApiKey ', 'Authorization: ApiKey '])('in Base64 after %j', (before) => {
    for (const after of ['', '\n', ':']) {
      const text = base64(`${before}${key}${after}`);
      for (const form of [text, text.replaceAll('+', '-').replaceAll('/', '_')]) {
        const result = redacted(form);
        expect(result).toContain('********');
        // The rest encodes bits of at most one key character at each end.
        expect(result.length).toBeLessThan(base64(before).length + 8 + 8);
      }
    }
  });
});

describe('a text', () => {
  it('without the key is not changed', () => {
    const redacted = createRedactor(plainKey, '********');
    fc.assert(fc.property(fc.json(), (text) => redacted(text) === text));
  });

  it('is not changed if the key is as short as an ordinary word', () => {
    expect(createRedactor('topics', '********')('/v2/topics')).toBe('/v2/topics');
  });
});
