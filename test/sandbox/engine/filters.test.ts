// The rules of step filters, each operator against what a payload may hold.
import { describe, expect, test } from 'vitest';
import { inbox, openScene } from './engine-fixture.ts';

interface Part {
  field: string;
  value: string;
  operator: string;
  on: string;
}

const part = (operator: string, value: string, field = 'x', on = 'payload'): Part => ({
  field,
  value,
  operator,
  on,
});

const filter = (children: Part[], join = 'AND', isNegated = false) => ({
  isNegated,
  type: 'GROUP',
  value: join,
  children,
});

/** What becomes of a step with these filters, for each payload. */
async function statusesOf(
  filters: ReturnType<typeof filter>[],
  payloads: readonly object[],
): Promise<string[]> {
  const scene = await openScene();
  scene.define({ steps: [{ ...inbox, filters: filters as never }] });
  const statuses: string[] = [];
  for (const [index, payload] of payloads.entries()) {
    const transactionId = `t${index}`;
    await scene.trigger({ name: 'test', to: 'u1', transactionId, payload });
    statuses.push((await scene.one(transactionId)).statuses.join());
  }
  return statuses;
}

describe('a filter of a step', () => {
  const absent = undefined;

  test.each<[string, string, unknown[], unknown[]]>([
    ['EQUAL', 'a', ['a'], ['b', 'A', absent, null]],
    ['EQUAL', '7', [7, '7'], [70]],
    ['EQUAL', 'true', [true], [false]],
    ['NOT_EQUAL', 'a', ['b', absent, null], ['a']],
    ['LARGER', '10', [11, '10.5'], [10, 9, 'much', '', absent, null]],
    ['LARGER', '-1', [0, '0'], ['', ' ', absent, null]],
    ['LARGER_EQUAL', '0', [0, 1], [-1, '', absent, null]],
    ['SMALLER', '10', [9.5, '-1'], [10, 11, 'few', '', absent, null]],
    ['SMALLER_EQUAL', '10', [10, 9], [11, '', absent, null]],
    ['BETWEEN', '1, 3', [1, 2, '3'], [0, 4, '', absent, null]],
    ['BETWEEN', '0, 3', [0], ['', null]],
    ['NOT_BETWEEN', '1,3', [0, '4'], [1, 3, '', absent, null]],
    ['LIKE', 'an', ['banana'], ['BANANA', 'b', absent]],
    ['NOT_LIKE', 'an', ['b', absent], ['banana']],
    ['IN', 'a, b', ['a', 'b'], ['c', 'a, b', absent]],
    ['IN', 'a', [['a', 'b']], [['b'], []]],
    ['ANY_IN', 'a, b', ['a', ['c', 'b']], ['c', ['c'], []]],
    ['ALL_IN', 'a, b', ['a', ['a', 'b']], ['c', ['a', 'c'], absent]],
    ['NOT_IN', 'a, b', ['c', ['c'], [], absent], ['a', ['a', 'c']]],
    ['NEAR', 'a', [], ['a', absent]],
  ])('%s %j lets %j pass and not %j', async (operator, value, passing, others) => {
    const payloads = [...passing, ...others].map((x) => ({ x }));
    expect(await statusesOf([filter([part(operator, value)])], payloads)).toEqual([
      ...passing.map(() => 'completed'),
      ...others.map(() => 'canceled'),
    ]);
  });

  const [yes, no] = [part('EQUAL', 'a'), part('EQUAL', 'b')];

  test.each<[string, ReturnType<typeof filter>[], string]>([
    ['of which all must hold', [filter([yes, no])], 'canceled'],
    ['of which one must hold', [filter([yes, no], 'OR')], 'completed'],
    ['of which one must hold and none does', [filter([no, no], 'OR')], 'canceled'],
    ['that is negated', [filter([no], 'AND', true)], 'completed'],
    ['that is negated and holds', [filter([yes, no], 'OR', true)], 'canceled'],
    ['without parts', [filter([])], 'completed'],
    ['without parts that is negated', [filter([], 'AND', true)], 'completed'],
    ['beside another that does not hold', [filter([yes]), filter([no])], 'canceled'],
    ['of the subscriber', [filter([part('EQUAL', 'Ada', 'firstName', 'subscriber')])], 'completed'],
    ['of something else', [filter([part('EQUAL', 'a', 'x', 'weather')])], 'canceled'],
  ])('%s', async (_name, filters, status) => {
    expect(await statusesOf(filters, [{ x: 'a' }])).toEqual([status]);
  });
});
