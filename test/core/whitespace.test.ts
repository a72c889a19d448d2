// Whitespace around ids.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTrimmed, trimWhitespace } from '../../src/core/whitespace.ts';

const whitespace = [
  ...' \t\n\r\u0085\u00a0\u00ad\u1680\u2003\u200b\u200d\u2028\u202f\u2060\u3000\ufeff',
];

describe('whitespace around a text', () => {
  it.each(whitespace.map((character) => [JSON.stringify(character), character] as const))(
    'includes %s',
    (_name, character) => {
      expect(isTrimmed(`${character}u1`)).toBe(false);
      expect(isTrimmed(`u1${character}`)).toBe(false);
      expect(trimWhitespace(`${character}u${character}1${character}${character}`)).toBe(
        `u${character}1`,
      );
      expect(trimWhitespace(character)).toBe('');
    },
  );

  it.each(['u1', '"', 'é', '京都', '🎉', '❤️', '\u0000', 'a b'])('is absent from %j', (text) => {
    expect(isTrimmed(text)).toBe(true);
    expect(trimWhitespace(text)).toBe(text);
  });

  it('is removed completely, and nothing else is', () => {
    const part = fc.oneof(
      fc.constantFrom(...whitespace),
      fc.string({ unit: 'binary', maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
        const text = parts.join('');
        const bare = trimWhitespace(text);
        expect(bare === '' || isTrimmed(bare)).toBe(true);
        expect(text.split(bare || text).every((part) => trimWhitespace(part) === '')).toBe(true);
      }),
      { seed: 20_260_115, numRuns: 1_000 },
    );
  });

  it('is found quickly in a long text of spaces', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(trimWhitespace(text)).toBe(text);
  });
});
