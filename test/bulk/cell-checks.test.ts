// Checks of cells as bytes: they agree with the checks of text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fieldChecks,
  isCommonEmail,
  isIdCell,
  isTrimmedCell,
} from '../../src/bulk/operations/row-encoder.ts';
import { isId, isTrimmed } from '../../src/core/whitespace.ts';
import { isEmail, isLocale, isTimeZone } from '../../src/service/rules/formats.ts';
import { toRecord } from './encode-row.ts';

const seed = 20_260_115;
const isCommon = (text: string) => {
  const bytes = Buffer.from(`@.${text}.a`);
  return isCommonEmail(bytes, 2, bytes.length - 2);
};

describe('a common e-mail address', () => {
  it.each([
    'a@b.de',
    'first.last+tag@mail.example.com',
    "o'neil_99@3m.example.org",
    '-@x-y.example',
    '_@a.b.c.info',
  ])('is recognized as bytes: %s', (address) => {
    expect(isCommon(address)).toBe(true);
    expect(isEmail(address)).toBe(true);
  });

  it.each([
    ...['', '@', 'a', 'a@', '@b.de', 'a@b', 'a@b.', 'a@.de', '.a@b.de', 'a.@b.de', 'a..b@c.de'],
    ...['a@b@c.de', 'a@-b.de', 'a@b-.de', 'a@b.d', 'a@b.1e', 'a@b..de', 'a@b.de-', 'a b@c.de'],
    ...['a@b_c.de', 'ä@b.de', 'a@bü.de', 'a\u0000@b.de', '"a"@b.de'],
  ])('is not recognized as bytes: %j', (address) => {
    expect(isCommon(address)).toBe(false);
  });

  it('is valid as text, too', () => {
    const part = fc.constantFrom(...'aZ09-+_.@é" '.split(''), 'b.de', '@c.org');
    let recognized = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const text = parts.join('');
        if (!isCommon(text)) return;
        recognized += 1;
        expect(isEmail(text)).toBe(true);
      }),
      { seed, numRuns: 5_000 },
    );
    expect(recognized).toBeGreaterThan(50);
  });
});

it('cells are checked as their text is, also when a value occurs again', () => {
  const checks = { ...fieldChecks(), trimmed: isTrimmedCell, id: isIdCell };
  const byText: Record<string, (text: string) => boolean> = {
    email: (text) => isTrimmed(text) && isEmail(text),
    phone: isTrimmed,
    trimmed: isTrimmed,
    id: isId,
    locale: isLocale,
    timezone: isTimeZone,
  };
  const cell = fc.oneof(
    fc.constantFrom('en', 'en-US', 'zh-Hans-CN', 'UTC', 'Europe/Berlin', 'Mars/Base', 'a@b.de'),
    fc.constantFrom(
      'ä@bücher.example',
      ' a@b.de',
      'a@b.de\u200b',
      '\u00a0x',
      '+49 1',
      'x"y',
      'a\u200db',
      'a\u200bb',
      'a\tb',
    ),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }),
  );
  fc.assert(
    fc.property(cell, (given) => {
      const record = toRecord(['id', given]);
      const text = record.cells?.()[1] ?? '';
      const { cellBytes } = record;
      if (!cellBytes) throw new Error('no bytes');
      const [start = 0, end = 0] = cellBytes.bounds.slice(2, 4);
      for (const [name, check] of Object.entries(checks))
        expect([name, check(cellBytes, 1, start, end)]).toEqual([name, byText[name]?.(text)]);
    }),
    { seed, numRuns: 3_000 },
  );
});
