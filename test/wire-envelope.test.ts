// The results of the client with and without the envelope {"data": …}, as literals from the API specification.
import { describe, expect, it } from 'vitest';
import { exchange } from './support/wire.ts';
import {
  owner,
  stepRecord,
  subscriberRecord,
  times,
  workflowRecord,
} from './support/wire-bodies.ts';

type Call = [
  operation: Parameters<typeof exchange>[0],
  input: Parameters<typeof exchange>[1],
  status: number,
  body: unknown,
];

describe('a response in an envelope', () => {
  const integration = {
    ...owner,
    name: 'Mail',
    identifier: 'sendgrid-mail',
    providerId: 'sendgrid',
    channel: 'email',
    credentials: {},
    active: true,
    deleted: false,
    primary: true,
  };
  const step = {
    controls: {},
    variables: {},
    ...stepRecord(1, 'in_app', { stepId: 'inbox' }),
    origin: 'external',
    workflowId: 'welcome',
    workflowDatabaseId: '660000000000000000000001',
  };
  const withoutDataField: Call[] = [
    [
      'updateIntegration',
      { path: { integrationId: '65b000000000000000000001' }, body: { name: 'Mail' } },
      200,
      integration,
    ],
    [
      'deleteIntegration',
      { path: { integrationId: '65b000000000000000000001' } },
      200,
      [integration],
    ],
    [
      'setSubscriberCredentials',
      {
        path: { subscriberId: 'u1' },
        body: { providerId: 'slack', credentials: { webhookUrl: 'https://hooks.slack.test/1' } },
      },
      200,
      { subscriberId: 'u1', data: { plan: 'pro' }, ...subscriberRecord },
    ],
    [
      'bulkCreateSubscribers',
      { body: { subscribers: [{ subscriberId: 'ada' }] } },
      201,
      { updated: [], created: [{ subscriberId: 'ada' }], failed: [] },
    ],
    [
      'getSubscriberPreferences',
      { path: { subscriberId: 'u1' } },
      200,
      { global: { enabled: true, channels: {} }, workflows: [] },
    ],
    [
      'updateSubscriberPreferences',
      { path: { subscriberId: 'u1' }, body: { channels: { email: false } } },
      200,
      { global: { enabled: true, channels: { email: false } }, workflows: [] },
    ],
    [
      'markInboxNotifications',
      {
        path: { subscriberId: 'u1' },
        body: { messageId: '65f000000000000000000001', markAs: 'seen' },
      },
      201,
      [
        {
          ...owner,
          _notificationId: '662000000000000000000001',
          _subscriberId: '65e000000000000000000001',
          createdAt: '2026-01-15T10:00:00.000Z',
          transactionId: 'txn-1',
          channel: 'in_app',
          read: false,
          seen: true,
          cta: {},
          status: 'sent',
        },
      ],
    ],
    [
      'getTopic',
      { path: { topicKey: 'announcements' } },
      200,
      { _id: '668000000000000000000001', key: 'announcements' },
    ],
    [
      'renameTopic',
      { path: { topicKey: 'announcements' }, body: { name: 'News' } },
      200,
      { _id: '668000000000000000000001', key: 'announcements', name: 'News' },
    ],
    [
      'getContext',
      { path: { type: 'tenant', id: 'org-acme' } },
      200,
      { type: 'tenant', id: 'org-acme', data: { name: 'Acme' }, ...times },
    ],
    [
      'createEnvironment',
      { body: { name: 'Staging', color: '#ff8800' } },
      201,
      {
        _id: '65a000000000000000000003',
        name: 'Staging',
        _organizationId: '65c000000000000000000001',
        identifier: 'staging-1',
      },
    ],
    [
      'listEnvironments',
      {},
      200,
      [
        {
          _id: '65a000000000000000000001',
          name: 'Development',
          _organizationId: '65c000000000000000000001',
          identifier: 'development-1',
        },
      ],
    ],
    [
      'listWorkflows',
      {},
      200,
      {
        workflows: [
          {
            ...workflowRecord(1, 'Welcome', 'welcome'),
            status: 'ACTIVE',
            origin: 'external',
            stepTypeOverviews: ['in_app'],
            steps: [{ slug: 'inbox_st_1', type: 'in_app' }],
          },
        ],
        totalCount: 1,
      },
    ],
    [
      'getWorkflow',
      { path: { workflowId: 'welcome' } },
      200,
      {
        ...workflowRecord(1, 'Welcome', 'welcome'),
        steps: [step],
        origin: 'external',
        preferences: {},
        status: 'ACTIVE',
        severity: 'none',
      },
    ],
    ['getWorkflowStep', { path: { workflowId: 'welcome', stepId: 'inbox' } }, 200, step],
    [
      'triggerEvents',
      { body: { events: [{ name: 'welcome', to: [{ subscriberId: 'u1' }] }] } },
      201,
      [{ acknowledged: true, status: 'processed', transactionId: 'txn-1' }],
    ],
    ['cancelEvent', { path: { transactionId: 'txn-1' } }, 200, true],
  ];

  it.each(withoutDataField)(
    '%s returns the same value with and without the envelope {"data": …}',
    async (operation, input, status, body) => {
      const bare = await exchange(operation, input, { status, body });
      const wrapped = await exchange(operation, input, { status, body: { data: body } });
      expect(bare.result).toEqual(body);
      expect(wrapped.result).toEqual(body);
    },
  );

  const emptyCursorPage = {
    data: [],
    next: null,
    previous: null,
    totalCount: 0,
    totalCountCapped: false,
  };

  const withDataField: Call[] = [
    [
      'listInboxNotifications',
      { path: { subscriberId: 'u1' } },
      200,
      { hasMore: false, data: [], pageSize: 0, page: 0 },
    ],
    [
      'subscribeToTopic',
      { path: { topicKey: 'announcements' }, body: { subscriberIds: ['unknown-id'] } },
      201,
      { data: [], meta: { totalCount: 1, successful: 0, failed: 1 } },
    ],
    ['listTopics', {}, 200, emptyCursorPage],
    ['listContexts', {}, 200, emptyCursorPage],
    ['listActivity', {}, 200, { hasMore: false, data: [], pageSize: 0, page: 0 }],
  ];

  it.each(withDataField)(
    '%s returns its own data field and the fields beside it',
    async (operation, input, status, body) => {
      const { result } = await exchange(operation, input, { status, body });
      expect(result).toEqual(body);
    },
  );
});
