// Step filters: each operator with matching and other payload values.
import { describe, expect, test } from 'vitest';
import { inbox, openEngine } from './engine-fixture.ts';

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

/** Returns the status of a step with these filters, for each payload. */
async function triggerAll(
  filters: ReturnType<typeof filter>[],
  payloads: readonly object[],
): Promise<string[]> {
  const engine = await openEngine();
  engine.defineWorkflow({ steps: [{ ...inbox, filters: filters as never }] });
  const statuses: string[] = [];
  for (const [index, payload] of payloads.entries()) {
    const transactionId = `t${index}`;
    await engine.trigger({ name: 'test', to: 'u1', transactionId, payload });
    statuses.push((await engine.getActivity(transactionId)).statuses.join());
  }
  return statuses;
}

describe('a step filter', () => {
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
  ])('%s %j matches %j and not %j', async (operator, value, matching, others) => {
    const payloads = [...matching, ...others].map((x) => ({ x }));
    expect(await triggerAll([filter([part(operator, value)])], payloads)).toEqual([
      ...matching.map(() => 'completed'),
      ...others.map(() => 'canceled'),
    ]);
  });

  const [met, unmet] = [part('EQUAL', 'a'), part('EQUAL', 'b')];

  test.each<[string, string, ReturnType<typeof filter>[]]>([
    ['with AND and one unmet part', 'canceled', [filter([met, unmet])]],
    ['with OR and one met part', 'completed', [filter([met, unmet], 'OR')]],
    ['with OR and only unmet parts', 'canceled', [filter([unmet, unmet], 'OR')]],
    ['that is negated and not met', 'completed', [filter([unmet], 'AND', true)]],
    ['that is negated and met', 'canceled', [filter([met, unmet], 'OR', true)]],
    ['without parts', 'completed', [filter([])]],
    ['without parts that is negated', 'completed', [filter([], 'AND', true)]],
    ['next to another that is not met', 'canceled', [filter([met]), filter([unmet])]],
    ['on the subscriber', 'completed', [filter([part('EQUAL', 'Ada', 'firstName', 'subscriber')])]],
    ['on an unknown source', 'canceled', [filter([part('EQUAL', 'a', 'x', 'weather')])]],
  ])('%s results in status %s', async (_name, status, filters) => {
    expect(await triggerAll(filters, [{ x: 'a' }])).toEqual([status]);
  });
});
