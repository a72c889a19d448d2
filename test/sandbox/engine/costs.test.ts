// The cost of an event and of a cancellation does not depend on how many others there are: each statement finds its
// rows by an index, and their number stays the same.
import { describe, expect, test } from 'vitest';
import { noon } from '../open.ts';
import { explainQuery, recordingDriver } from '../recording-driver.ts';
import { inbox, openEngine } from './engine-fixture.ts';

const hour = { amount: 1, unit: 'hours' };
const workflows = {
  'a delay': { type: 'delay', controls: hour },
  'a digest': { type: 'digest', controls: hour },
  'a digest with a look-back window': {
    type: 'digest',
    controls: { ...hour, lookBackWindow: { amount: 5, unit: 'hours' } },
  },
} as const;

test('a request looks for due jobs only if one can be due', async () => {
  const { driver, executed } = await recordingDriver();
  let now = noon;
  const engine = await openEngine({ driver, now: () => now });
  const reads = async () => {
    executed.length = 0;
    await engine.ask('GET /v1/notifications');
    return executed.filter((text) => /FROM (due_jobs|queued_events)/.test(text)).length;
  };
  expect(await reads()).toBe(0);
  now += 48 * 3_600_000;
  expect(await reads()).toBeGreaterThan(0);
  expect(await reads()).toBe(0);
});

describe.each(Object.entries(workflows))('with %s', (_name, step) => {
  /** The statements of an event and of two cancellations, after `count` events of the same subscriber. */
  async function statementsAfter(count: number) {
    const { driver, executed } = await recordingDriver();
    const engine = await openEngine({ driver });
    engine.defineWorkflow({ steps: [{ name: 'Wait', ...step }, inbox] });
    const event = (index: number) => ({ name: 'test', to: 'u1', transactionId: `t${index}` });
    for (let index = 0; index < count; index += 1) await engine.trigger(event(index));
    const during = async (work: () => Promise<unknown>) => {
      executed.length = 0;
      await work();
      return [...executed];
    };
    const statements = {
      event: await during(() => engine.trigger(event(count))),
      cancelLast: await during(() => engine.cancel(`t${count}`)),
      cancelFirst: await during(() => engine.cancel('t0')),
    };
    const plan = (text: string) => explainQuery(engine.store.sql, text);
    return { statements, plan };
  }

  test('the number of statements stays the same', async () => {
    const few = await statementsAfter(3);
    const many = await statementsAfter(12);
    expect(many.statements).toEqual(few.statements);
  });

  test('no statement reads a whole table of events', async () => {
    const { statements, plan } = await statementsAfter(3);
    const scans = Object.values(statements)
      .flat()
      .filter((text) => /^\s*(SELECT|UPDATE|DELETE)/.test(text))
      .flatMap((text) => plan(text).map((detail) => ({ text, detail })))
      .filter(({ detail }) =>
        /SCAN (?:n|j|d|e|m|events|notifications|jobs|digests|messages)\b/.test(detail),
      );
    expect(scans).toEqual([]);
  });
});
