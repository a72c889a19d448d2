// Which control values have a `skip` condition. All parts of svc count the same values.
import { expect, test } from 'vitest';
import { hasSkip } from '../../src/service/mode.ts';

test.each([
  [{ skip: { '==': [1, 1] } }, true],
  [{ skip: [{ '==': [1, 1] }] }, true],
  [{ skip: {} }, false],
  [{ skip: [] }, false],
  [{ skip: null }, false],
  [{ skip: 'true' }, false],
  [{}, false],
  [null, false],
  [undefined, false],
])('%j has a condition: %j', (controlValues, expected) => {
  expect(hasSkip(controlValues)).toBe(expected);
});
