import { describe, expect, it } from 'vitest';
import {
  createPseudonyms,
  findAddresses,
  isPhoneNumber,
} from '../../src/state-files/pseudonyms.ts';

const addressesIn = (text: string) =>
  findAddresses(text).map(([start, end]) => text.slice(start, end));

describe('addresses', () => {
  it.each([
    ['ada@example.org', ['ada@example.org']],
    ['user:Ada.L+news@mail.example.org/7', ['Ada.L+news@mail.example.org']],
    ['a@b.test,c@d.test', ['a@b.test', 'c@d.test']],
    ['ada%40example.org', ['ada%40example.org']],
    ['jürgen@münchen.test', ['jürgen@münchen.test']],
    ['ada@localhost', ['ada@localhost']],
    ['user:"ada twelve"@secret.test/7', ['"ada twelve"@secret.test']],
    ['"a@b \\"c\\" d"@secret.test', ['a@b', '"c\\" d"@secret.test']],
    ['"ada"@secret.test and "bo b"@b.test', ['"ada"@secret.test', '"bo b"@b.test']],
    ['ada"@secret.test', ['ada"@secret.test']],
    ['%22ada%20b%22%40secret.test', ['%22ada%20b%22%40secret.test']],
    ['ada@[192.0.2.1]', ['ada@[192.0.2.1]']],
    ['ada﹫secret．test', ['ada﹫secret．test']],
    ['ada%2540secret.test', ['ada%2540secret.test']],
    ['ada@\u0939\u093f\u0902\u0926\u0940.test', ['ada@\u0939\u093f\u0902\u0926\u0940.test']],
    ['ada@sec\u200bret.test', ['ada@sec\u200bret.test']],
    ['a@b@c', ['a@b']],
    ['@handle', []],
    ['ada@', []],
    ['user-1', []],
    ['', []],
  ])('in %j', (text, addresses) => {
    expect(addressesIn(text)).toEqual(addresses);
  });

  it('are found in time that grows with the length of a text, not with its square', () => {
    const long = `${'a'.repeat(200_000)}@ ${'b@c '.repeat(50_000)}`;
    expect(addressesIn(long)).toHaveLength(50_000);
    expect(addressesIn('x"@ '.repeat(50_000))).toHaveLength(0);
    expect(addressesIn('"@b '.repeat(50_000))).toHaveLength(50_000);
  });
});

it.each(['+4915112345678', '0049 30 9876543', '(030) 555-777', '555-1234', '030 / 12345678'])(
  '%j is a phone number',
  (text) => {
    expect(isPhoneNumber(text)).toBe(true);
  },
);

it.each(['15551234567', 'tel:0301234', 'phone-5551234', ' +49151123456 '])(
  '%j is a phone number',
  (text) => {
    expect(isPhoneNumber(text)).toBe(true);
  },
);

it.each([
  ...[
    '０１７１２３４５６７８',
    '＋４９（１７１）２３４５６７',
    '٠١٧١٢٣٤٥٦٧٨',
    '+٤٩١٧١٢٣٤٥٦٧',
    '০১৭১২৩৪৫৬৭৮',
  ],
  ...[
    '𝟎𝟏𝟕𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖',
    '٠٠٤٩ ١٧١ ٢٣٤٥٦٧',
    '0171–2345678',
    '0171\u00a02345\u20116789',
    '\u202a+49 171 234567\u202c',
  ],
  'tel:０３０１２３４',
])('%j is a phone number, in digits of any script', (text) => {
  expect(isPhoneNumber(text)).toBe(true);
});

it.each(['１２３４５６７８', '٢٠٢٥-١١-٢١', 'user-٧', '٧'])('%j is an id, too', (text) => {
  expect(isPhoneNumber(text)).toBe(false);
});

it.each([
  ...['user-1', '12345678', '2025-11-21', '507f1f77bcf86cd799439011', 'order-1234567890', ''],
  ...['123456789012345678', 'tel:12', '-'],
])('%j is an id, not a phone number', (text) => {
  expect(isPhoneNumber(text)).toBe(false);
});

describe('replacements', () => {
  const { name, email, phone, avatar, identifier, text } = createPseudonyms('salt');

  it('depend on the salt and the original', () => {
    const other = createPseudonyms('another salt');
    expect(email('ada@example.org')).toBe(createPseudonyms('salt').email('ada@example.org'));
    expect(email('ada@example.org')).not.toBe(other.email('ada@example.org'));
    expect(name('Ada')).not.toBe(other.name('Ada'));
    expect(phone('+49151')).not.toBe(other.phone('+49151'));
    expect(avatar('x')).not.toBe(other.avatar('x'));
  });

  it('keep the rest of an id', () => {
    expect(identifier('user:ada@example.org')).toBe(`user:${email('ada@example.org')}`);
    expect(identifier('whatsapp+4915112345678!')).toBe(`whatsapp${phone('+4915112345678')}!`);
    expect(identifier('4915112345678')).toMatch(/^999\d{12}$/);
    expect(identifier('user-1')).toBe('user-1');
    expect(identifier('crm+٤٩١٧١٢٣٤٥٦٧!')).toBe(`crm${phone('+٤٩١٧١٢٣٤٥٦٧')}!`);
    expect(identifier('＋４９１７１２３４５６７')).toMatch(/^\+999\d{12}$/);
    expect(text('call 4915112345678 or ada@example.org')).toBe(
      `call 4915112345678 or ${email('ada@example.org')}`,
    );
  });
});
