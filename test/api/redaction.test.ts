import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactionOf } from '../../src/api/redaction.ts';

const plainKey = '0123456789abcdef0123456789abcdef';
const oddKey = 'k/ey+"with\\odd=characters~';
const json = JSON.stringify;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const unicode = (text: string, change: (code: string) => string) =>
  [...text].map((one) => `\\u${change(one.charCodeAt(0).toString(16).padStart(4, '0'))}`).join('');
const upper = (code: string) => code.toUpperCase();
const lower = (code: string) => code.toLowerCase();

describe.each([plainKey, oddKey])('the key %s is replaced', (key) => {
  const redacted = redactionOf(key, '********');

  it.each<[string, string]>([
    ['plain', key],
    ['in a JSON string', json(key).slice(1, -1)],
    ['in JSON inside JSON', json(json(key).slice(1, -1)).slice(1, -1)],
    ['with escaped slashes', key.replaceAll('/', '\\/')],
    ['in Unicode escapes, capitals', unicode(key, upper)],
    ['in Unicode escapes, small letters', unicode(key, lower)],
    ['percent-encoded', encodeURIComponent(key)],
    ['percent-encoded in small letters', encodeURIComponent(key).replace(/%../g, lower)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(key))],
  ])('%s', (_name, form) => {
    expect(redacted(`<${form}>`)).toBe('<********>');
  });

  it.each(['', 'A', 'Ap', 'ApiKey ', 'Authorization: ApiKey '])('in Base64 behind %j', (before) => {
    for (const after of ['', '\n', ':']) {
      const text = base64(`${before}${key}${after}`);
      for (const form of [text, text.replaceAll('+', '-').replaceAll('/', '_')]) {
        const left = redacted(form);
        expect(left).toContain('********');
        // What is left holds bits of at most one character at each end.
        expect(left.length).toBeLessThan(base64(before).length + 8 + 8);
      }
    }
  });
});

describe('a text', () => {
  it('without the key stays as it is', () => {
    const redacted = redactionOf(plainKey, '********');
    fc.assert(fc.property(fc.json(), (text) => redacted(text) === text));
  });

  it('stays as it is when the key is too short to tell from a word', () => {
    expect(redactionOf('topics', '********')('/v2/topics')).toBe('/v2/topics');
  });
});
