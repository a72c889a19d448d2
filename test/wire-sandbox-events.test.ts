// The responses of the sandbox to requests about events: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import { ada, eventFor, slackChannel } from './support/wire-bodies.ts';
import {
  expectFields,
  expectItems,
  expectList,
  type Rule,
  valueAt,
} from './support/wire-fields.ts';

describe('sandbox API for events', () => {
  const triggerResult: Record<string, Rule> = {
    acknowledged: 'boolean',
    status: [
      'error',
      'trigger_not_active',
      'no_workflow_active_steps_defined',
      'no_workflow_steps_defined',
      'processed',
      'no_tenant_found',
      'invalid_recipients',
    ],
    error: 'array?',
    transactionId: 'string?',
  };

  it('accepts an event with every field and returns its result', async () => {
    const { trigger } = await startSeeded();
    const { status, body } = await trigger({
      name: 'welcome',
      payload: { orderId: '42' },
      overrides: { fcm: { data: { badge: '1' } } },
      to: [{ subscriberId: 'wire-ada', ...ada, data: { plan: 'pro' }, channels: [slackChannel] }],
      transactionId: 'wire-txn-full',
      actor: 'u1',
      tenant: 'org-acme',
      context: { tenant: 'org-acme', app: 'jira' },
    });
    expect(status).toBe(201);
    expect(expectList(body)).toHaveLength(1);
    expectFields(valueAt(body, 0), triggerResult);
  });

  it('returns one result per event, in the order of the events', async () => {
    const { trigger } = await startSeeded();
    const { status, body } = await trigger(
      eventFor('u1', 'welcome', 'wire-txn-1'),
      eventFor('u1', 'no-such-workflow'),
      eventFor('u1', 'comment-digest', 'wire-txn-3'),
    );
    expect(status).toBe(201);
    expect(expectList(body)).toHaveLength(3);
    for (const result of expectList(body)) expectFields(result, triggerResult);
    expect(body).toMatchObject([
      { acknowledged: true, status: 'processed', transactionId: 'wire-txn-1' },
      { status: 'error' },
      { acknowledged: true, status: 'processed', transactionId: 'wire-txn-3' },
    ]);
    for (const message of expectItems(valueAt(body, 1, 'error'))) {
      expect(message).toBeTypeOf('string');
    }
  });

  it('returns true when a pending digest is cancelled', async () => {
    const { ask, trigger } = await startSeeded();
    await trigger(eventFor('u1', 'comment-digest', 'wire txn/1'));
    const { status, body } = await ask('DELETE', '/v1/events/trigger/wire%20txn%2F1');
    expect(status).toBe(200);
    expect(body).toBe(true);
  });
});
