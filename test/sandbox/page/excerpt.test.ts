// The excerpt of a content, as lists of the page show it.
import { expect, it } from 'vitest';
import { excerpt } from '../../../src/sandbox/page/format.ts';

it('ends with an ellipsis only if characters are left out', () => {
  expect(excerpt('😀'.repeat(160), false)).toBe('😀'.repeat(160));
  expect(excerpt('😀'.repeat(161), false)).toBe(`${'😀'.repeat(160)}…`);
});
