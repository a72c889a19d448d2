// Compares the operations that are not in the specification with the recorded service. `npm run conformance` prints
// the differences; `npm run conformance -- --write` stores better numbers.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { countByArea } from '../support/recorded/agreement.ts';
import { beyondFolder, playArea, readAreas } from '../support/recorded/beyond.ts';

const expected: Record<string, object> = JSON.parse(
  readFileSync(path.join(beyondFolder, 'agreement.json'), 'utf8'),
);
const areas = readAreas();

describe('responses agree with the recorded ones', () => {
  test('in every area', () => {
    expect(areas.map(({ area }) => area).sort()).toEqual(Object.keys(expected).sort());
  });

  test.each(areas.map((area) => [area.area, area] as const))('on %s', async (name, area) => {
    const results = await playArea(area);
    const differing = results.filter(({ whole }) => !whole);
    const texts = differing.map((response) => `${response.name}: ${response.differences[0]}`);
    expect(countByArea(results)[name], texts.join('\n')).toEqual(expected[name]);
  });
});
