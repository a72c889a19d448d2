// Requests and results of the client for operations that servers have since 3.12 or 3.15, as a server 3.19.0 answered.
import { describe, it } from 'vitest';
import { expectExchange } from './support/wire.ts';
import { times } from './support/wire-bodies.ts';

const environment = '65a000000000000000000001';

describe('operations of later versions', () => {
  it('creates a secret variable with POST, and returns it without its value', async () => {
    const values = [{ _environmentId: environment, value: 's3cret' }];
    await expectExchange({
      operation: 'createEnvironmentVariable',
      input: { body: { key: 'TOKEN', isSecret: true, values } },
      sends: 'POST /v1/environment-variables',
      status: 200,
      returns: {
        _id: '671000000000000000000001',
        _organizationId: '65c000000000000000000001',
        ...{ key: 'TOKEN', type: 'string', isSecret: true },
        values: [{ _environmentId: environment, value: '••••••••' }],
        ...times,
      },
    });
  });

  it('connects a subscriber to a channel with POST, and returns the token', async () => {
    const connection = {
      ...{ identifier: 'conn-1', integrationIdentifier: 'slack-1', subscriberId: 'a1' },
      ...{ workspace: { id: 'T1', name: 'Team' }, auth: { accessToken: 'xoxb-1' } },
    };
    await expectExchange({
      operation: 'createChannelConnection',
      input: { body: connection },
      sends: 'POST /v1/channel-connections',
      status: 201,
      returns: { ...connection, channel: 'chat', providerId: 'slack', contextKeys: [], ...times },
    });
  });

  it('reads an endpoint of a subscriber', async () => {
    await expectExchange({
      operation: 'getChannelEndpoint',
      input: { path: { identifier: 'end-1' } },
      sends: 'GET /v1/channel-endpoints/end-1',
      status: 200,
      returns: {
        ...{ identifier: 'end-1', channel: 'chat', providerId: 'slack' },
        ...{ integrationIdentifier: 'slack-1', connectionIdentifier: 'conn-1' },
        ...{ subscriberId: 'a1', contextKeys: [], type: 'slack_user' },
        ...{ endpoint: { userId: 'U2' }, ...times },
      },
    });
  });

  it('changes the choices of a subscription with PATCH, and returns it', async () => {
    const workflow = {
      ...{ id: '660000000000000000000001', identifier: 'welcome', name: 'Welcome' },
      ...{ critical: false, tags: ['onboarding'], severity: 'none' },
    };
    await expectExchange({
      operation: 'updateTopicSubscription',
      input: {
        path: { topicKey: 'news', identifier: 'a3-news' },
        body: { preferences: [{ workflowId: 'welcome', enabled: false }] },
      },
      sends: 'PATCH /v2/topics/news/subscriptions/a3-news',
      status: 200,
      returns: {
        ...{ _id: '667000000000000000000001', identifier: 'a3-news', name: 'Renamed' },
        topic: { _id: '668000000000000000000001', key: 'news' },
        subscriber: {
          ...{ _id: '65e000000000000000000001', subscriberId: 'a3', firstName: 'A3' },
          ...{ email: 'a3@example.com', ...times },
        },
        preferences: [{ workflow, subscriptionId: 'a3-news', enabled: false }],
        contextKeys: [],
        ...times,
      },
    });
  });

  it('previews a step with POST', async () => {
    const previewPayload = { payload: { name: 'Ann' }, subscriber: { firstName: 'A' } };
    await expectExchange({
      operation: 'previewWorkflowStep',
      input: { path: { workflowId: 'welcome', stepId: 'in-app' }, body: { previewPayload } },
      sends: 'POST /v2/workflows/welcome/step/in-app/preview',
      status: 201,
      returns: {
        result: { preview: { subject: 'Hi A', body: 'Welcome ' }, type: 'in_app' },
        previewPayloadExample: { payload: {}, subscriber: { firstName: 'A' }, steps: {} },
        schema: null,
      },
    });
  });
});
