// Reasons for rejected rows are counted with limited memory.
import { expect, it } from 'vitest';
import { createReasons } from '../../src/bulk/engine/stats.ts';
import { shellWord } from '../../src/core/text.ts';

it('the most frequent reasons come first, and only a limited number is counted separately', () => {
  const reasons = createReasons();
  for (let row = 0; row < 1_000; row += 1) {
    reasons.add('common');
    reasons.add(`rare ${row}`);
    if (row % 2 === 0) reasons.add('frequent');
  }
  expect(reasons.top(2)).toEqual([
    { text: 'common', count: 1_000 },
    { text: 'frequent', count: 500 },
    { text: 'other reasons', count: 1_000 },
  ]);
  expect(reasons.top(1_000)).toHaveLength(64 + 1);
});

it.each([
  ['plain/file.csv', 'plain/file.csv'],
  ['a b', "'a b'"],
  ["it's", "'it'\\''s'"],
  ['', "''"],
  ['$(x)', "'$(x)'"],
])('%j is quoted as one shell word', (text, word) => {
  expect(shellWord(text)).toBe(word);
});
