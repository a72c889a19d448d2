// The e-mail addresses, locales and time zones that the service accepts.
import { expect, test } from 'vitest';
import { isEmail, isLocale, isTimeZone } from '../../src/service/rules/formats.ts';

const longLocal = 'a'.repeat(65);

test.each([
  ...['a@b.co', '"a b"@c.co', 'a+b@sub.example.org', 'ü@b.co', 'a@ü.co', 'a@xn--bcher-kva.de'],
  'first.last@example.museum',
])('%s is an e-mail address', (text) => {
  expect(isEmail(text)).toBe(true);
});

test.each([
  ...['', 'a', '@b.co', 'a@b', 'a b@c.co', 'a@b.c', 'a@-b.co', 'a@b-.co', 'a@b_c.co', 'a.@b.co'],
  ...['.a@b.co', 'a..b@c.co', 'a@b.123', 'a@127.0.0.1', 'a@b.co.', 'a,b@c.co', '<a@b.co>'],
  `${longLocal}@b.co`,
])('%s is not an e-mail address', (text) => {
  expect(isEmail(text)).toBe(false);
});

test.each([
  ...['en', 'en_US', 'en-us', 'EN', 'english', 'zh_Hans_CN', 'es_419', 'de_DE_1996'],
  ...['ca_ES_valencia', 'fr-FR-x-y', 'i-klingon'],
])('%s is a locale', (text) => {
  expect(isLocale(text)).toBe(true);
});

test.each(['', 'e', 'x', 'en_', '_US', 'en US', 'en_USA', 'xx_YY_ZZ'])(
  '%j is not a locale',
  (text) => {
    expect(isLocale(text)).toBe(false);
  },
);

test.each([
  ...['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires', 'europe/berlin'],
  ...['+02:00', '-0930', '+14', '+00:00'],
])('%s is a time zone', (zone) => {
  expect(isTimeZone(zone)).toBe(true);
});

test.each(['', 'Mars/Phobos', '+24:00', '+2', '+02:60', '02:00', 'x'.repeat(65)])(
  '%j is not a time zone',
  (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  },
);
