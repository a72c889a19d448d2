// Triggering and canceling events.
import { describe, expect, test } from 'vitest';
import { seedId } from '../../src/sandbox/store/ids.ts';
import { type Ask, openSandbox } from './open.ts';
import { listActivity, recipientIds, trigger } from './trigger-events.ts';

describe('an event', () => {
  test('creates one activity item per subscriber, with a job for each active step', async () => {
    const { ask } = await openSandbox();
    const [result] = await trigger(ask, {
      name: 'comment-digest',
      to: [{ subscriberId: 'u1' }],
      payload: { post: { id: 'p9' } },
      overrides: { fcm: { data: { a: 1 } } },
      transactionId: 'tx-1',
      context: { tenant: 'org-acme' },
    });
    expect(result).toEqual({ acknowledged: true, status: 'processed', transactionId: 'tx-1' });
    const [item, ...others] = await listActivity(ask, 'tx-1');
    expect(others).toEqual([]);
    expect(item).toMatchObject({
      transactionId: 'tx-1',
      _subscriberId: seedId('subscriber:u1'),
      _templateId: seedId('workflow:comment-digest'),
      channels: ['digest', 'in_app', 'email'],
      payload: { post: { id: 'p9' } },
      to: { subscriberId: 'u1' },
      tags: ['social', 'digest'],
      severity: 'low',
      critical: false,
      contextKeys: ['tenant:org-acme'],
      topics: [],
      template: {
        name: 'Comment digest',
        origin: 'novu-cloud',
        triggers: [{ type: 'event', identifier: 'comment-digest' }],
      },
    });
    const jobs = item.jobs.map(({ type, status, providerId, executionDetails }: never) => ({
      type,
      status,
      providerId,
      details: executionDetails,
    }));
    const pending = (detail: string) =>
      expect.objectContaining({ status: 'Pending', detail, source: 'Internal' });
    const queued = [pending('Step queued')];
    expect(jobs).toEqual([
      { type: 'digest', status: 'delayed', details: [...queued, pending('Step digested')] },
      { type: 'in_app', status: 'pending', providerId: 'novu', details: [] },
      { type: 'email', status: 'pending', providerId: 'sendgrid', details: [] },
    ]);
    expect(item.jobs[0].digest).toEqual({
      type: 'regular',
      amount: 10,
      unit: 'minutes',
      digestKey: 'No-Key-Provided',
      events: [],
    });
    expect(item.jobs[1].step._parentId).toBe(item.jobs[0].step._id);
  });

  test('without a transaction id gets a generated one', async () => {
    const { ask } = await openSandbox();
    const [{ transactionId }] = await trigger(ask, { name: 'welcome', to: 'u1' });
    expect(transactionId).toMatch(/^txn_[0-9a-z]{20}$/);
  });

  test('with a transaction id that was used returns processed and is dropped', async () => {
    const { ask } = await openSandbox();
    const event = { name: 'welcome', to: 'u1', transactionId: 'same' };
    const results = await trigger(ask, event, event);
    expect(results[1]).toEqual({ acknowledged: true, status: 'processed', transactionId: 'same' });
    await trigger(ask, { ...event, to: 'u2' });
    expect(await recipientIds(ask, 'same')).toEqual(['u1']);
  });

  test('updates the last trigger time of its workflow', async () => {
    const { ask } = await openSandbox();
    await trigger(ask, { name: 'draft', to: 'u1' }, { name: 'order-update', to: 'u1' });
    expect((await ask('GET /v2/workflows/order-update')).body.lastTriggeredAt).toBe(
      '2026-01-15T12:00:00.000Z',
    );
    expect((await ask('GET /v2/workflows/draft')).body.lastTriggeredAt).toBeNull();
  });

  test.each([
    ['an unknown workflow', { name: 'nope', to: 'u1' }, 'error', ['workflow_not_found']],
    ['no name', { to: 'u1' }, 'error', ['Validation failed']],
    ['an unknown field', { name: 'welcome', to: 'u1', colour: 1 }, 'processed', undefined],
    ['a recipient of another type', { name: 'welcome', to: 7 }, 'processed', undefined],
    ['a bad recipient among others', { name: 'welcome', to: ['u1', 7] }, 'processed', undefined],
    [
      'an unknown tenant',
      { name: 'welcome', to: 'u1', tenant: 'nope' },
      'no_tenant_found',
      undefined,
    ],
    [
      'an inactive workflow',
      { name: 'legacy-newsletter', to: 'u1' },
      'trigger_not_active',
      undefined,
    ],
    [
      'a workflow without steps',
      { name: 'draft', to: 'u1' },
      'no_workflow_steps_defined',
      undefined,
    ],
    ['no recipient', { name: 'welcome' }, 'error', ['Validation failed']],
    ['an empty recipient', { name: 'welcome', to: '' }, 'processed', undefined],
    [
      'a recipient without id',
      { name: 'welcome', to: { email: 'a@example.com' } },
      'processed',
      undefined,
    ],
    [
      'too many contexts',
      { name: 'welcome', to: 'u1', context: { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' } },
      'error',
      undefined,
    ],
    ['a string in place of the event', 'welcome', 'error', undefined],
    ['an issue in its workflow', { name: 'broken-invoice', to: 'u1' }, 'processed', undefined],
    [
      'a known tenant',
      { name: 'welcome', to: 'u1', tenant: { identifier: 'org-acme' } },
      'processed',
      undefined,
    ],
  ])('with %s does not affect the result of the next event', async (_, event, status, error) => {
    const { ask } = await openSandbox();
    const results = await trigger(ask, event, {
      name: 'welcome',
      to: 'u2',
      transactionId: 'after',
    });
    expect(results[0]).toMatchObject({ acknowledged: true, status, ...(error ? { error } : {}) });
    expect('transactionId' in results[0]).toBe(status === 'processed');
    expect(results[1].status).toBe('processed');
    expect(await recipientIds(ask, 'after')).toEqual(['u2']);
  });

  test('for a workflow without active steps is not processed', async () => {
    const { ask, store } = await openSandbox();
    store.sql.run(
      `UPDATE workflows SET body = json_set(body, '$.steps[0].active', json('false'), '$.steps[1].active', json('false'))
       WHERE identifier = 'welcome'`,
    );
    expect(await trigger(ask, { name: 'welcome', to: 'u1' })).toEqual([
      { acknowledged: true, status: 'no_workflow_active_steps_defined' },
    ]);
  });

  test.each([[[]], ['x'], [undefined]])(
    'is rejected unless the request has a list of events, not %j',
    async (events) => {
      const { ask } = await openSandbox();
      expect((await ask('POST /v1/events/trigger/bulk', { events })).status).toBe(422);
    },
  );
});

describe('canceling a transaction', () => {
  const cancel = async (ask: Ask, transactionId: string) =>
    (await ask(`DELETE /v1/events/trigger/${transactionId}`)).body;

  test('cancels its waiting jobs once', async () => {
    const { ask } = await openSandbox();
    await trigger(ask, { name: 'trial-ending', to: ['u1', 'u2'], transactionId: 'tx' });
    expect(await cancel(ask, 'tx')).toBe(true);
    const statuses = (await listActivity(ask, 'tx')).map(
      ({ jobs }: { jobs: { status: string }[] }) => jobs.map(({ status }) => status),
    );
    expect(statuses).toEqual(Array(2).fill(['canceled', 'canceled']));
    expect(await cancel(ask, 'tx')).toBe(false);
  });

  test('returns false if it has no waiting jobs or does not exist', async () => {
    const { ask } = await openSandbox();
    await trigger(ask, { name: 'order-update', to: 'u1', transactionId: 'tx' });
    expect(await cancel(ask, 'tx')).toBe(false);
    expect(await cancel(ask, 'unknown')).toBe(false);
  });
});
