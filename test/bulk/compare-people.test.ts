// Which values of a row and of a stored subscriber count as the same.
import { describe, expect, it } from 'vitest';
import { findDifferences, hashPerson } from '../../src/bulk/operations/compare-people.ts';
import { parseValues } from '../../src/core/lossless-json-parser.ts';

type Value = Record<string, unknown>;

/** The fields that differ. */
const compare = (row: Value, stored: Value) =>
  findDifferences({ subscriberId: 'a', ...row }, hashPerson(stored), stored.channels);

describe('a comparison of a row with a subscriber', () => {
  it.each<[string, Value, Value]>([
    ['an equal text', { firstName: 'Ada' }, { firstName: 'Ada' }],
    ['a text that is not Latin', { firstName: '山田 Ünal' }, { firstName: '山田 Ünal' }],
    ['accents in another Unicode form', { lastName: 'Núñez' }, { lastName: 'Nu\u0301n\u0303ez' }],
    ['a long text', { avatar: 'x'.repeat(9000) }, { avatar: 'x'.repeat(9000) }],
    ['spaces around a text', { firstName: ' Ada ' }, { firstName: 'Ada' }],
    ['an address in lower case', { email: 'Ada@Example.COM' }, { email: 'ada@example.com' }],
    ['a phone number without spaces', { phone: '+49 (30) 12-34' }, { phone: '+49301234' }],
    ['another form of a locale', { locale: 'en-US' }, { locale: 'en_us' }],
    ['null and an absent field', { firstName: null }, {}],
    ['null and an empty text', { firstName: null }, { firstName: '' }],
    ['no data and null', { data: {} }, { data: null }],
    ['names of data in another order', { data: { a: 1, b: [1] } }, { data: { b: [1], a: 1 } }],
    ['a member that is null and an absent one', { data: { a: 1, b: null } }, { data: { a: 1 } }],
    ['an empty object in data', { data: { a: 1, b: {} } }, { data: { a: 1 } }],
    ['a field that the row does not have', { firstName: 'A' }, { firstName: 'A', phone: '1' }],
    [
      'numbers that the service stores as doubles',
      parseValues('{"data":{"a":12345678901234567890,"b":1e2}}') as Value,
      { data: { a: 12345678901234567000, b: 100 } },
    ],
  ])('treats %s as the same', (_name, row, stored) => {
    expect(compare(row, stored)).toEqual([]);
  });

  it.each<[string, Value, Value, string[]]>([
    ['other texts', { firstName: 'Ada', phone: '1' }, { firstName: 'Eve' }, ['firstName', 'phone']],
    ['the letter case of a name', { lastName: 'ADA' }, { lastName: 'Ada' }, ['lastName']],
    ['texts without digits as phones', { phone: 'none' }, { phone: 'n/a' }, ['phone']],
    ['a cleared field', { email: null }, { email: 'a@example.com' }, ['email']],
    ['a number and its text', { data: { n: 1 } }, { data: { n: '1' } }, ['data']],
    ['fewer members of data', { data: { a: 1 } }, { data: { a: 1, b: 2 } }, ['data']],
    ['the order of a list', { data: { a: [1, 2] } }, { data: { a: [2, 1] } }, ['data']],
    ['the case of a text in data', { data: { a: 'X' } }, { data: { a: 'x' } }, ['data']],
    ['a value of another type', { firstName: '5' }, { firstName: { a: 5 } }, ['firstName']],
  ])('reports %s', (_name, row, stored, fields) => {
    expect(compare(row, stored)).toEqual(fields);
  });

  it('compares the credentials of a row, and ignores further tokens', () => {
    const channels = (...deviceTokens: string[]) => [
      { providerId: 'fcm', credentials: { deviceTokens } },
    ];
    const stored = { channels: channels('one', 'two') };
    expect(compare({ channels: channels('two') }, stored)).toEqual([]);
    expect(compare({ channels: channels('three') }, stored)).toEqual(['channels']);
    expect(compare({ channels: channels('one') }, {})).toEqual(['channels']);
  });
});
