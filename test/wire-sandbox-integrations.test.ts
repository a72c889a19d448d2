// The responses of the sandbox to requests about integrations: literals from the API specification.
import { describe, expect, it } from 'vitest';
import { startSeeded } from './support/wire.ts';
import { proPlan } from './support/wire-bodies.ts';
import { expectFields, expectItems, type Rule, valueAt } from './support/wire-fields.ts';
import { channels } from './support/wire-values.ts';

describe('sandbox API for integrations', () => {
  const integration: Record<string, Rule> = {
    _id: 'string?',
    _environmentId: 'string',
    _organizationId: 'string',
    name: 'string',
    identifier: 'string',
    providerId: 'string',
    channel: channels,
    credentials: 'object',
    configurations: 'object?',
    active: 'boolean',
    deleted: 'boolean',
    deletedAt: 'string?',
    deletedBy: 'string?',
    primary: 'boolean',
    conditions: 'array?',
  };

  it('returns the updated integration', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('PUT', `/v1/integrations/${ids.integration}`, {
      name: 'Transactional mail',
      identifier: 'transactional-mail',
      _environmentId: ids.environment,
      active: true,
      credentials: { apiKey: 'SG.key', from: 'noreply@acme.test', senderName: 'Acme' },
      check: false,
      conditions: [proPlan],
      configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'whsec_1' },
    });
    expect(status).toBe(200);
    expectFields(body, integration);
    expect(body).toMatchObject({
      _id: ids.integration,
      _environmentId: ids.environment,
      name: 'Transactional mail',
      identifier: 'transactional-mail',
      providerId: 'sendgrid',
      channel: 'email',
      credentials: { from: 'noreply@acme.test', senderName: 'Acme' },
      configurations: { inboundWebhookEnabled: true },
      active: true,
      deleted: false,
      conditions: [proPlan],
    });
  });

  it('returns the remaining integrations after a deletion', async () => {
    const { ask, ids } = await startSeeded();
    const { status, body } = await ask('DELETE', `/v1/integrations/${ids.integration}`);
    expect(status).toBe(200);
    for (const remaining of expectItems(body)) {
      expectFields(remaining, integration);
      expect(valueAt(remaining, '_id')).not.toBe(ids.integration);
      expect(valueAt(remaining, 'deleted')).toBe(false);
    }
  });
});
