// Requests and results of the client for events, as literals from the API specification.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { ada, slackChannel } from './support/wire-bodies.ts';

describe('events', () => {
  it('triggers several events with one POST and returns one result for each', async () => {
    await expectExchange({
      operation: 'triggerEvents',
      input: {
        body: {
          events: [
            {
              name: 'welcome',
              payload: { orderId: '42', lines: [{ sku: 'a', amount: 1.5 }] },
              overrides: { fcm: { data: { badge: '1' } } },
              to: [
                {
                  subscriberId: 'user@example.com/1',
                  ...ada,
                  data: { plan: 'pro' },
                  channels: [slackChannel],
                },
                { subscriberId: 'u2' },
              ],
              transactionId: 'txn-1',
              actor: 'u3',
              tenant: 'org-acme',
              context: { tenant: 'org-acme', app: 'jira' },
            },
            { name: 'comment-digest', to: [{ subscriberId: 'u2' }] },
          ],
        },
      },
      sends: 'POST /v1/events/trigger/bulk',
      status: 201,
      returns: [
        { acknowledged: true, status: 'processed', transactionId: 'txn-1' },
        { acknowledged: false, status: 'error', error: ['workflow not found', 'no recipients'] },
        { acknowledged: true, status: 'trigger_not_active' },
        { acknowledged: true, status: 'no_workflow_active_steps_defined' },
        { acknowledged: true, status: 'no_workflow_steps_defined' },
        { acknowledged: true, status: 'no_tenant_found' },
        { acknowledged: true, status: 'invalid_recipients' },
      ],
    });
  });

  it('cancels an event with DELETE and returns true', async () => {
    await expectExchange({
      operation: 'cancelEvent',
      input: { path: { transactionId: 'txn 1/a:b' } },
      sends: 'DELETE /v1/events/trigger/txn%201%2Fa%3Ab',
      status: 200,
      returns: true,
    });
  });

  it('returns false if nothing was cancelled', async () => {
    await expectExchange({
      operation: 'cancelEvent',
      input: { path: { transactionId: 'txn-1' } },
      sends: 'DELETE /v1/events/trigger/txn-1',
      status: 200,
      returns: false,
    });
  });
});
