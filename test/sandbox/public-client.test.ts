// Calls all 23 operations with the service's public TypeScript client, which validates every
// response against its own schemas, which are those of the specification; with plain and with wrapped responses.
import { Novu } from '@novu/api';
import { HTTPClient } from '@novu/api/lib/http.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { specifiedIds } from '../../src/service/operations/index.ts';
import { frozenNow, testKey } from '../support/fixed.ts';
import { createSandbox, openStore } from '../support/sandbox-311.ts';

async function open(envelope: boolean) {
  const clock = { now: () => frozenNow };
  const store = await openStore({ clock, key: testKey, mode: 'specification' });
  onTestFinished(() => store.close());
  const sandbox = createSandbox({ store, clock, envelope });
  const statuses: number[] = [];
  const fetcher = async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const response = await sandbox(new Request(input, init));
    statuses.push(response.status);
    if (response.status === 204) return response;
    // The client accepts only its own name for the inbox provider.
    const text = (await response.text()).replaceAll('"providerId":"svc"', '"providerId":"novu"');
    return new Response(text, { status: response.status, headers: response.headers });
  };
  const client = new Novu({
    secretKey: testKey,
    serverURL: 'http://sandbox.localhost',
    httpClient: new HTTPClient({ fetcher }),
    retryConfig: { strategy: 'none' },
  });
  return { client, statuses };
}

type Call = (client: Novu) => Promise<unknown>;

const integration = '677485809bebc841f620134a';
const event = {
  workflowId: 'welcome',
  to: { subscriberId: 'u1' },
  payload: {},
  transactionId: 'public',
};

const calls: Record<(typeof specifiedIds)[number], Call> = {
  updateIntegration: (client) => client.integrations.update({ name: 'Renamed' }, integration),
  deleteIntegration: (client) => client.integrations.delete(integration),
  setSubscriberCredentials: (client) =>
    client.subscribers.credentials.append(
      { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.example.com/1' } },
      'u1',
    ),
  deleteSubscriberCredentials: (client) => client.subscribers.credentials.delete('u1', 'slack'),
  bulkCreateSubscribers: (client) =>
    client.subscribers.createBulk({
      subscribers: [
        { subscriberId: 'u1', firstName: 'Ada' },
        { subscriberId: 'new', email: 'new@example.com' },
      ],
    }),
  getSubscriberPreferences: (client) => client.subscribers.preferences.list('u1'),
  updateSubscriberPreferences: (client) =>
    client.subscribers.preferences.update({ channels: { email: false } }, 'u1'),
  listInboxNotifications: (client) => client.subscribers.notifications.feed({ subscriberId: 'u1' }),
  markInboxNotifications: (client) =>
    client.subscribers.messages.markAllAs(
      { messageId: ['67748580259aa8ef98259b2b'], markAs: 'read' },
      'u1',
    ),
  subscribeToTopic: (client) =>
    client.topics.subscriptions.create({ subscriberIds: ['u1', 'unknown'] }, 'announcements'),
  listTopics: (client) => client.topics.list({}),
  getTopic: (client) => client.topics.get('announcements'),
  renameTopic: (client) => client.topics.update({ name: 'News' }, 'announcements'),
  listContexts: (client) => client.contexts.list({}),
  getContext: (client) => client.contexts.retrieve('org-acme', 'tenant'),
  createEnvironment: (client) => client.environments.create({ name: 'Staging', color: '#123456' }),
  listEnvironments: (client) => client.environments.list(),
  listWorkflows: (client) => client.workflows.list({}),
  getWorkflow: (client) => client.workflows.get('welcome'),
  getWorkflowStep: (client) => client.workflows.steps.retrieve('welcome', 'welcome-email'),
  triggerEvents: (client) => client.triggerBulk({ events: [event] }),
  cancelEvent: (client) => client.cancel('txn_6774858005787ee036e9fda0'),
  listActivity: (client) => client.notifications.list({}),
};

describe.each([
  ['plain', false],
  ['wrapped', true],
])('the public client with %s responses', (_form, envelope) => {
  it.each(specifiedIds)('accepts the response of %s', async (id) => {
    const { client, statuses } = await open(envelope);
    await calls[id](client);
    expect(statuses).toHaveLength(1);
    expect(statuses[0]).toBeLessThan(300);
  });

  it('finds what it triggered in the activity and the inbox', async () => {
    const { client } = await open(envelope);
    const { result: triggered } = await client.triggerBulk({ events: [event] });
    expect(triggered).toMatchObject([
      { acknowledged: true, status: 'processed', transactionId: 'public' },
    ]);
    const { result: activity } = await client.notifications.list({ transactionId: 'public' });
    expect(activity.data[0]?.jobs?.map(({ status }) => status)).toEqual(['completed', 'completed']);
    const { result: feed } = await client.subscribers.notifications.feed({ subscriberId: 'u1' });
    expect(feed.data[0]).toMatchObject({ transactionId: 'public', channel: 'in_app' });
  });

  it('reports errors with their status', async () => {
    const { client } = await open(envelope);
    await expect(client.topics.get('nothing')).rejects.toMatchObject({ statusCode: 404 });
  });
});
