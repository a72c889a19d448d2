import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  containsExactNumber,
  isExactNumber,
  parseJson,
  parseResponseJson,
  stringifyExact,
} from '../../src/core/lossless-json.ts';

const digits = fc.stringMatching(
  /^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][-+]?(0|[1-9][0-9]{0,2}))?$/,
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3 },
    digits,
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('tree')).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.string(), tie('tree')), { selector: ([name]) => name })
      .map((members) => `{${members.map(([name, one]) => `${JSON.stringify(name)}:${one}`)}}`),
  ),
}));

describe('JSON', () => {
  it('from a response is written with its original digits, for any content', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (inner) => {
        // JavaScript objects reorder members with numeric names.
        fc.pre(!/"\d+":/.test(String(inner)));
        const text = `{"a":[${inner}]}`;
        expect(stringifyExact(await parseResponseJson(text))).toBe(text);
      }),
      { seed: 20260115, numRuns: 1_000 },
    );
  });

  it('is written with an indent like the JSON of plain values', async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (inner) => {
        const value = await parseResponseJson(`{"a":[${inner}],"b":{"c":1.0},"d":[]}`);
        const text = stringifyExact(value, 2);
        const plain = JSON.stringify(
          value,
          (_name, member) => (isExactNumber(member) ? 'exact' : member),
          2,
        );
        expect(await parseResponseJson(text)).toEqual(value);
        expect(text.split('\n')).toHaveLength(plain.split('\n').length);
        expect(stringifyExact(JSON.parse(plain), 2)).toBe(plain);
      }),
      { seed: 20260115, numRuns: 300 },
    );
    expect(stringifyExact(await parseResponseJson('{"a":[1.0,{"b":2}],"c":{}}'), 2)).toBe(
      '{\n  "a": [\n    1.0,\n    {\n      "b": 2\n    }\n  ],\n  "c": {}\n}',
    );
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['1e400', '1e400'],
    ['1e-400', '1e-400'],
    ['{"a":0.12345678901234567890}', '{"a":0.12345678901234567890}'],
    ['[1.50,1E2,-0]', '[1.5,100,0]'],
    ['[9007199254740992]', '[9007199254740992]'],
    ['{"a":1,"a":12345678901234567890}', '{"a":12345678901234567890}'],
  ])('from the user keeps values: %s is written as %s', async (input, written) => {
    expect(stringifyExact(await parseJson(input))).toBe(written);
  });

  it('has plain numbers if a double can represent them', async () => {
    const value = await parseJson('{"a":[9007199254740991,0.1,-3]}');
    expect(value).toEqual({ a: [9007199254740991, 0.1, -3] });
    expect(containsExactNumber(value)).toBe(false);
  });

  it.each(['{"a":12345678901234567890', '[1e400,]', '{"a":12345678901234567890}}'])(
    'that is invalid throws a SyntaxError: %s',
    async (text) => {
      await expect(parseJson(text)).rejects.toThrow(SyntaxError);
    },
  );

  it('omits undefined members', () => {
    expect(stringifyExact({ a: undefined, b: 1 })).toBe('{"b":1}');
  });
});
