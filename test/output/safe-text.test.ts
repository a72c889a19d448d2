import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeText } from '../../src/output/safe-text.ts';

describe('text from outside', () => {
  it.each([
    ['\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['a\rb', 'a\\rb'],
    ['a\tb\nc', 'a\\tb\\nc'],
    ['\u009b2J', '\\x9b2J'],
    ['abc\u202edef', 'abc\\u202edef'],
    ['\ud800', '\\ud800'],
    ['日本 😀 é', '日本 😀 é'],
  ])('%j is shown as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('never carries a control character, an escape or a bidi control', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(safeText(text)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/,
        );
      }),
    );
  });
});
