// Every operation on the built-in seed data: its success status and the schema of its response.
import { describe, expect, test } from 'vitest';
import { operations, type SpecifiedId, specifiedIds } from '../../src/api/operations/index.ts';
import { seedId } from '../../src/sandbox/seed/ids.ts';
import { openSandbox } from './open.ts';

const requests: Record<SpecifiedId, [line: string, body?: unknown]> = {
  updateIntegration: [
    `PUT /v1/integrations/${seedId('integration:sendgrid-email')}`,
    { name: 'Mail' },
  ],
  deleteIntegration: [`DELETE /v1/integrations/${seedId('integration:sendgrid-email')}`],
  setSubscriberCredentials: [
    'PATCH /v1/subscribers/u1/credentials',
    { providerId: 'fcm', credentials: { deviceTokens: ['t'] } },
  ],
  deleteSubscriberCredentials: ['DELETE /v1/subscribers/u1/credentials/fcm'],
  bulkCreateSubscribers: ['POST /v1/subscribers/bulk', { subscribers: [{ subscriberId: 'new' }] }],
  getSubscriberPreferences: ['GET /v2/subscribers/u1/preferences'],
  updateSubscriberPreferences: [
    'PATCH /v2/subscribers/u1/preferences',
    { channels: { sms: false } },
  ],
  listInboxNotifications: ['GET /v1/subscribers/u1/notifications/feed'],
  markInboxNotifications: [
    'POST /v1/subscribers/u1/messages/mark-as',
    { messageId: seedId('message:invoice'), markAs: 'read' },
  ],
  subscribeToTopic: ['POST /v2/topics/announcements/subscriptions', { subscriberIds: ['u5'] }],
  listTopics: ['GET /v2/topics'],
  getTopic: ['GET /v2/topics/announcements'],
  renameTopic: ['PATCH /v2/topics/announcements', { name: 'News' }],
  listContexts: ['GET /v2/contexts'],
  getContext: ['GET /v2/contexts/tenant/org-acme'],
  createEnvironment: ['POST /v1/environments', { name: 'Staging', color: '#abc' }],
  listEnvironments: ['GET /v1/environments'],
  listWorkflows: ['GET /v2/workflows'],
  getWorkflow: ['GET /v2/workflows/comment-digest'],
  getWorkflowStep: ['GET /v2/workflows/welcome/steps/welcome-inbox'],
  triggerEvents: [
    'POST /v1/events/trigger/bulk',
    { events: [{ name: 'welcome', to: 'u1', payload: {} }] },
  ],
  cancelEvent: ['DELETE /v1/events/trigger/txn-1'],
  listActivity: ['GET /v1/notifications'],
};

describe.each(specifiedIds)('%s', (id) => {
  test('returns the status and the response format in the registry', async () => {
    const { ask } = await openSandbox();
    const { status, body } = await ask(...requests[id]);
    const { response } = await operations[id].schemas();
    expect(status).toBe(operations[id].success);
    expect(response.safeParse(body).error?.issues).toBeUndefined();
  });

  test('requires an API key', async () => {
    const { ask } = await openSandbox();
    const [line, body] = requests[id];
    const { status } = await ask(line, body, { authorization: 'ApiKey wrong' });
    expect(status).toBe(401);
  });

  test('wraps its response if envelope is on', async () => {
    const { ask } = await openSandbox();
    const { ask: askWrapped } = await openSandbox({ envelope: true });
    const plain = await ask(...requests[id]);
    const wrapped = await askWrapped(...requests[id]);
    expect(wrapped.status).toBe(plain.status);
    if (plain.status === 204) expect(wrapped.body).toBeUndefined();
    else expect(Object.keys(wrapped.body)).toContain('data');
    const isOwn = 'hasDataField' in operations[id];
    if (isOwn) expect(Object.keys(wrapped.body)).toEqual(Object.keys(plain.body));
  });
});
