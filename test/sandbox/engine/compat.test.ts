// Where runs differ with `--compat novu` from the default mode.
import { describe, expect, test } from 'vitest';
import { inbox, openEngine, triggerTestWorkflow } from './engine-fixture.ts';

const unwrap = (body: unknown) =>
  typeof body === 'object' && body !== null && 'data' in body ? body.data : body;

describe.each([
  ['by default', false],
  ['with --compat novu', true],
])('%s', (_, compat) => {
  test.each([true, false])('a step whose `skip` rule is %s', async (isMet) => {
    const engine = await openEngine({ mode: compat ? 'novu' : 'specification' });
    const skip = { '==': [{ var: 'payload.quiet' }, true] };
    engine.defineWorkflow({ steps: [{ ...inbox, controls: { body: 'x', skip } }] });
    await triggerTestWorkflow(engine, 'u1', { payload: { quiet: isMet } });
    // By the specification, a step is skipped if its rule is true; on the service, it runs.
    const runs = compat ? isMet : !isMet;
    const { statuses, details, item } = await engine.getActivity('a');
    expect(statuses).toEqual([runs ? 'completed' : 'canceled']);
    expect(details[0]?.[0]).toBe(
      runs ? 'Pending: Message created' : 'Failed: Bridge execution skipped',
    );
    if (!runs) expect(item.jobs[0].executionDetails[1]).toMatchObject({ raw: '{"skip":true}' });
  });

  test.each([
    ['no readable recipient', { to: 7, payload: {} }, 'error', 'processed'],
    ['an empty list of recipients', { to: [], payload: {} }, 'error', 'processed'],
    ['no payload', { to: 'u1' }, 'processed', 'error'],
  ])('an event with %s', async (_case, event, specified, novu) => {
    const engine = await openEngine({ mode: compat ? 'novu' : 'specification' });
    const sent = { name: 'welcome', transactionId: 'a', ...event };
    const [result] = unwrap(await engine.trigger(sent)) as { status: string; error?: string[] }[];
    expect(result?.status).toBe(compat ? novu : specified);
    if (compat && novu === 'error') expect(result?.error).toEqual(['Validation failed']);
    const runs = result?.status === 'processed' && event.to === 'u1';
    expect(await engine.listActivity('a')).toHaveLength(runs ? 1 : 0);
  });

  test('the activity of an event with an empty payload', async () => {
    const engine = await openEngine({ mode: compat ? 'novu' : 'specification' });
    engine.defineWorkflow({ steps: [inbox] });
    await triggerTestWorkflow(engine, 'u1', { payload: {} });
    const { item } = await engine.getActivity('a');
    const [job] = item.jobs;
    for (const part of [item, job]) expect('payload' in part).toBe(!compat);
    expect('controls' in item).toBe(!compat);
    expect('overrides' in job).toBe(!compat);
  });
});
