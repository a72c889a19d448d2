// Payload schemas with patterns of every kind, in limited time.
import { expect, it } from 'vitest';
import { payloadErrors } from '../../src/service/payload-schema.ts';

const check = (schema: object, payload: unknown) =>
  payloadErrors({ validatePayload: true, payloadSchema: { ...schema } }, payload);

const withPattern = (pattern: string) => ({ properties: { code: { pattern } } });

it.each([
  ['^[A-Z]{3}-\\d+$', 'ABC-12', 'ABC-'],
  ['^(?=.*\\d)(?!.*x).+$', 'a1', 'x1'],
  ['^(.+)-\\1$', 'ab-ab', 'ab-ba'],
  ['(?<=€)\\d', '€5', '$5'],
  ['^\\p{Lu}(\\p{L}|\\s)*$', 'Ärger mit Ö', 'ärger'],
  ['^\\S+$', 'a', 'a\u00a0b'],
  ['^(\\d{3}){1,3}$', '123456', '1234567'],
])('%j has its meaning in ECMAScript', (pattern, match, other) => {
  expect(check(withPattern(pattern), { code: match })).toEqual([]);
  expect(check(withPattern(pattern), { code: other })).toEqual([
    `Payload validation failed: code: must match pattern "${pattern}"`,
  ]);
});

it('keeps patterns apart', () => {
  const schema = { properties: { a: { pattern: '^a+$' }, b: { pattern: '^b+$' } } };
  expect(check(schema, { a: 'aa', b: 'bb' })).toEqual([]);
  expect(check(schema, { a: 'bb', b: 'bb' })).toHaveLength(1);
});

const many = 'a'.repeat(60);

it('names a pattern that takes too long, and still checks the other texts', () => {
  const pattern = '^(a+)+$';
  const schema = withPattern(pattern);
  const error =
    'Payload validation failed: code: must match pattern "^(a+)+$", which takes too long for some texts';
  for (let row = 0; row < 20; row += 1)
    expect(check(schema, { code: `${many}${row}!` })).toEqual([error]);
  expect(check(schema, { code: 'aaaa' })).toEqual([]);
  expect(check(schema, { code: 'aab' })).toEqual([
    'Payload validation failed: code: must match pattern "^(a+)+$"',
  ]);
});

it.each([
  ['not', { properties: { code: { not: { pattern: '^(a*)*$' } } } }, { code: `${many}!` }],
  [
    'patternProperties',
    { patternProperties: { '^(a|a)+$': { type: 'string' } } },
    { [`${many}!`]: 1 },
  ],
  ['propertyNames', { propertyNames: { not: { pattern: '^(a|aa)+$' } } }, { [`${many}!`]: 1 }],
])('reports a slow pattern in %s, where nothing else is wrong', (_, schema, payload) => {
  expect(check(schema, payload)).toEqual([
    expect.stringMatching(
      /^Payload validation failed: root: the pattern "\^\(a.*" takes too long$/,
    ),
  ]);
});

it('limits the time of a format, too', () => {
  const schema = { properties: { link: { format: 'url' } } };
  expect(check(schema, { link: 'https://example.com' })).toEqual([]);
  expect(check(schema, { link: `http://${'a:'.repeat(50_000)}\n` })).toEqual([
    'Payload validation failed: link: must match format "url", which takes too long for some texts',
  ]);
});
