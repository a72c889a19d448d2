// Untrusted text on a terminal: as a line, as a block and in JSON.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeJson, safeMultilineText, safeText } from '../../src/output/safe-text.ts';

/** Code points that are unsafe on a terminal, listed independently of the source. */
const unsafeRanges: readonly [from: number, to: number][] = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x61c, 0x61c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xd800, 0xdfff],
  [0xfeff, 0xfeff],
];
const isUnsafe = (code: number) => unsafeRanges.some(([from, to]) => code >= from && code <= to);
const everyUnit = Array.from({ length: 0x10000 }, (_unused, code) => code);
const changedBy = (safe: (text: string) => string) =>
  everyUnit.filter((code) => safe(String.fromCharCode(code)) !== String.fromCharCode(code));

describe('text in a line', () => {
  it.each([
    ['\x1b]0;owned\x07', '\\x1b]0;owned\\x07'],
    ['\x1b[31mred', '\\x1b[31mred'],
    ['a\rb', 'a\\rb'],
    ['a\tb\nc', 'a\\tb\\nc'],
    ['\0\x7f', '\\x00\\x7f'],
    ['\u009b2J', '\\x9b2J'],
    ['abc\u202edef', 'abc\\u202edef'],
    ['\ud800', '\\ud800'],
    ['\ude00\ud83d', '\\ude00\\ud83d'],
    ['\ufeff', '\\ufeff'],
    ['日本 😀 é', '日本 😀 é'],
    ['👨‍👩‍👧', '👨‍👩‍👧'],
  ])('%j is shown as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('is changed only at unsafe characters', () => {
    expect(changedBy(safeText)).toEqual(everyUnit.filter(isUnsafe));
  });

  it('is safe for any input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const character of safeText(text)) {
          expect(isUnsafe(character.codePointAt(0) ?? 0)).toBe(false);
        }
        expect(safeText(safeText(text))).toBe(safeText(text));
      }),
    );
  });
});

describe('a block of text', () => {
  it('keeps line feeds and tabs, and no other unsafe characters', () => {
    expect(safeMultilineText('a\tb\r\n\x1b[2J\u202e')).toBe('a\tb\\r\n\\x1b[2J\\u202e');
    const kept = new Set([0x09, 0x0a]);
    expect(changedBy(safeMultilineText)).toEqual(
      everyUnit.filter((code) => isUnsafe(code) && !kept.has(code)),
    );
  });
});

describe('JSON text', () => {
  it('has unsafe characters escaped that JSON allows', () => {
    expect(safeJson('{\n"a":"\u009b\x7f\u202e😀"\n}')).toBe('{\n"a":"\\u009b\\u007f\\u202e😀"\n}');
    expect(changedBy(safeJson)).toEqual(
      everyUnit.filter((code) => isUnsafe(code) && code !== 0x0a),
    );
  });

  it('keeps its value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value, undefined, 1);
        const safe = safeJson(text);
        expect(JSON.parse(safe)).toEqual(JSON.parse(text));
        for (const character of safe) {
          const code = character.codePointAt(0) ?? 0;
          expect(code === 0x0a || !isUnsafe(code)).toBe(true);
        }
      }),
    );
  });
});
