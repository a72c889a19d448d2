// The nesting depth of JSON text, measured without parsing it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTooDeep } from '../../src/core/lossless-json.ts';

const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
const measureDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(measureDepth))
    : 0;

describe('the depth of JSON text', () => {
  it.each<[string, string, boolean]>([
    ['100 levels', nested(100), false],
    ['102 levels', nested(102), true],
    ['101 arrays', '['.repeat(101) + ']'.repeat(101), true],
    ['100,000 arrays that do not close', '['.repeat(100_000), true],
    ['many arrays side by side', `[${'[],'.repeat(500)}[]]`, false],
    ['brackets in a string', `{"a":"${'['.repeat(500)}"}`, false],
    ['brackets in a string behind an escaped quote', `{"a":"\\"${'{'.repeat(500)}"}`, false],
    ['brackets behind a string that ends with a backslash', `["\\\\",${nested(100)}]`, true],
  ])('is measured correctly for %s', (_name, text, isDeep) => {
    expect(isTooDeep(text)).toBe(isDeep);
  });

  it('is the depth of the parsed value', () => {
    const extra = fc.integer({ min: 90, max: 110 });
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), extra, (value, levels) => {
        const text = `${'['.repeat(levels)}${JSON.stringify(value)}${']'.repeat(levels)}`;
        expect(isTooDeep(text)).toBe(levels + measureDepth(value) > 100);
      }),
      { seed: 20_260_115, numRuns: 500 },
    );
  });
});
