// Regular expressions that others wrote, in limited time.
import { expect, it } from 'vitest';
import { matchesInTime, withinDeadline } from '../../src/core/bounded-regexp.ts';

it('stops at an expression that takes years', () => {
  expect(matchesInTime(/^(a+)+$/, `${'a'.repeat(40)}!`)).toBeUndefined();
  expect(matchesInTime(/^(a+)+$/, 'aaa')).toBe(true);
});

it('repeats a call that misses the deadline because the process has to wait', () => {
  const never = new Int32Array(new SharedArrayBuffer(4));
  let calls = 0;
  const result = withinDeadline(() => {
    calls += 1;
    if (calls === 1) Atomics.wait(never, 0, 0);
    return 'matches';
  });
  expect({ result, calls }).toEqual({ result: { value: 'matches' }, calls: 2 });
});
