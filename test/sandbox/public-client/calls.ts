// The calls of an application that uses @novu/api, in order, and their outcomes: with 3.11 those of a real server (Novu
// 3.11.0); with 3.19 those that the responses of a real server (Novu 3.19.0) lead to, as far as they were recorded.

/** The versions of the client. */
export type Version = '3.11.0' | '3.19.1';

/** The versions of the client and of the service. */
export type Pair = `${Version} with ${'3.11' | '3.19'}`;

/** Reads a member of the result of an earlier call. */
export type Earlier = (call: string, ...keys: (string | number)[]) => unknown;

export interface PublicCall {
  /** The method of the client, with a remark after a space. */
  name: string;
  arguments: unknown[] | ((earlier: Earlier, version: Version) => unknown[]);
  /** The outcome if the call does not succeed; by version if they differ. */
  fails?: string | Partial<Record<Pair, string>>;
  /** The outcome in the sandbox, if that differs. */
  inSandbox?: string;
  /** The only version of the client that has the method. */
  only?: Version;
  /** The first version of the service that has the operation; absent if all have it. */
  since?: '3.19';
}

const missing = (...fields: string[]) => fields.map((field) => `${field}: Required`).join('; ');
const noIdentifier = {
  '3.19.1 with 3.11': `response rejected: ${missing('Result.data.*.identifier')}`,
};
const hiddenCredentials = {
  '3.11.0 with 3.19': `response rejected: ${missing('Result.credentials')}`,
};
const otherEnvironment = {
  '3.19.1 with 3.11': 'response rejected: resourceType',
  '3.19.1 with 3.19':
    'ErrorDto 403: This authentication scheme is scoped to a single environment and cannot target a different `_environmentId`. Use credentials from the target environment, or authenticate with a session token.',
};

const person = {
  subscriberId: 'ada',
  firstName: 'Ada',
  email: 'ada@example.com',
  data: { plan: 'pro' },
};
const smtp = {
  ...{ name: 'SMTP', identifier: 'smtp', providerId: 'nodemailer', channel: 'email', active: true },
  credentials: {
    ...{ host: 'smtp.example.com', port: '25', user: 'u', password: 'p' },
    ...{ from: 'a@example.com', senderName: 'A' },
  },
};
const inAppStep = { type: 'in_app', name: 'In-app', stepId: 'in-app' };
const event = { workflowId: 'hello', to: 'ada', payload: { n: 1 } };
const unknownEvent = { workflowId: 'unknown', to: 'ada', payload: {} };

const subscribers: PublicCall[] = [
  { name: 'subscribers.create', arguments: [person] },
  { name: 'subscribers.create (bare)', arguments: [{ subscriberId: 'grace' }] },
  {
    name: 'subscribers.create (failIfExists)',
    arguments: [{ subscriberId: 'ada' }, true],
    fails: `error 409 rejected: ${missing(
      ...['subscriberId', '_organizationId', '_environmentId', 'deleted', 'createdAt', 'updatedAt'],
    )}`,
  },
  { name: 'subscribers.retrieve', arguments: ['ada'] },
  {
    name: 'subscribers.retrieve (unknown)',
    arguments: ['unknown'],
    fails: 'ErrorDto 404: Subscriber: unknown was not found',
  },
  { name: 'subscribers.search', arguments: [{ email: 'ada@example.com', limit: 5 }] },
  { name: 'subscribers.search (all)', arguments: [{ limit: 50 }] },
  { name: 'subscribers.patch', arguments: [{ lastName: 'King' }, 'ada'] },
  {
    name: 'subscribers.createBulk',
    arguments: [{ subscribers: [{ subscriberId: 'b1', firstName: 'B' }, { subscriberId: 'b2' }] }],
  },
  {
    name: 'subscribers.credentials.update',
    arguments: [{ providerId: 'fcm', credentials: { deviceTokens: ['a'] } }, 'ada'],
  },
  {
    name: 'subscribers.credentials.append',
    arguments: [{ providerId: 'fcm', credentials: { deviceTokens: ['b'] } }, 'ada'],
  },
  { name: 'subscribers.retrieve (with channels)', arguments: ['ada'] },
  { name: 'subscribers.credentials.delete', arguments: ['ada', 'fcm'] },
  {
    name: 'subscribers.preferences.list',
    arguments: (_, version) => [version === '3.11.0' ? 'ada' : { subscriberId: 'ada' }],
  },
  {
    name: 'subscribers.preferences.update',
    arguments: [{ workflowId: 'hello', channels: { inApp: true, email: false } }, 'ada'],
  },
  {
    name: 'subscribers.preferences.update (global)',
    arguments: [{ channels: { email: true } }, 'ada'],
  },
  {
    name: 'subscribers.preferences.bulkUpdate',
    arguments: [{ preferences: [{ workflowId: 'hello', channels: { inApp: true } }] }, 'ada'],
  },
];

const topicsAndContexts: PublicCall[] = [
  { name: 'topics.create', arguments: [{ key: 'news', name: 'News' }] },
  { name: 'topics.create (no name)', arguments: [{ key: 'other' }] },
  { name: 'topics.get', arguments: ['news'] },
  { name: 'topics.get (no name)', arguments: ['other'] },
  { name: 'topics.list', arguments: [{ limit: 20 }] },
  { name: 'topics.update', arguments: [{ name: 'All news' }, 'news'] },
  {
    name: 'topics.subscriptions.create',
    arguments: [{ subscriberIds: ['ada', 'unknown'] }, 'news'],
  },
  { name: 'topics.subscriptions.list', arguments: [{ topicKey: 'news' }], fails: noIdentifier },
  { name: 'subscribers.topics.list', arguments: [{ subscriberId: 'ada' }], fails: noIdentifier },
  { name: 'topics.subscriptions.delete', arguments: [{ subscriberIds: ['ada'] }, 'news'] },
  { name: 'topics.delete', arguments: ['news'] },
  { name: 'contexts.create', arguments: [{ type: 'tenant', id: 'acme', data: { name: 'Acme' } }] },
  { name: 'contexts.retrieve', arguments: ['acme', 'tenant'] },
  { name: 'contexts.list', arguments: [{ limit: 20 }] },
  {
    name: 'contexts.update',
    arguments: [{ id: 'acme', type: 'tenant', updateContextRequestDto: { data: { name: 'B' } } }],
  },
  { name: 'contexts.delete', arguments: ['acme', 'tenant'] },
];

/** The last one of the list, if the client could not read the response that created it. */
const createdIntegration = (earlier: Earlier) =>
  earlier('integrations.create', 'result', 'id') ?? earlier('integrations.list', 'result', 3, 'id');
const firstEnvironment = (earlier: Earlier) => earlier('environments.list', 'result', 0, 'id');
const secondEnvironment = (earlier: Earlier) => earlier('environments.list', 'result', 1, 'id');

const configuration: PublicCall[] = [
  { name: 'integrations.create', arguments: [smtp], fails: hiddenCredentials },
  { name: 'integrations.list', arguments: [] },
  { name: 'integrations.listActive', arguments: [] },
  {
    name: 'integrations.update',
    arguments: (earlier) => [{ name: 'Mail' }, createdIntegration(earlier)],
    fails: hiddenCredentials,
  },
  {
    name: 'integrations.setAsPrimary',
    arguments: (earlier) => [createdIntegration(earlier)],
    fails: 'SDKError 201: Unexpected Status or Content-Type',
  },
  {
    name: 'integrations.delete',
    arguments: (earlier) => [createdIntegration(earlier)],
    fails: {
      '3.11.0 with 3.11': `response rejected: ${missing('Result.*.credentials')}`,
      '3.11.0 with 3.19': `response rejected: ${missing('Result.*.credentials')}`,
    },
  },
  { name: 'workflows.list', arguments: [{ limit: 20 }] },
  { name: 'workflows.get', arguments: ['hello'] },
  {
    name: 'workflows.create',
    arguments: [
      {
        ...{ workflowId: 'new', name: 'New', active: true },
        steps: [{ ...inAppStep, controlValues: { subject: 'S', body: 'B' } }],
      },
    ],
  },
  {
    name: 'workflows.update',
    arguments: (earlier) => {
      const id = earlier('workflows.create', 'result', 'steps', 0, 'id');
      const step = { id, ...inAppStep, controlValues: { subject: 'S2', body: 'B2' } };
      const preferences = { user: null, workflow: null };
      return [{ name: 'Newer', origin: 'novu-cloud', preferences, steps: [step] }, 'new'];
    },
  },
  { name: 'workflows.patch', arguments: [{ active: false }, 'new'] },
  { name: 'workflows.steps.retrieve', arguments: ['hello', 'inbox'] },
  { name: 'workflows.delete', arguments: ['new'] },
  { name: 'environments.list', arguments: [] },
  {
    name: 'environments.update',
    arguments: (earlier) => [{ color: '#ff8547' }, firstEnvironment(earlier)],
    fails: `response rejected: ${missing(
      ...['Result._id', 'Result.name', 'Result._organizationId', 'Result.identifier'],
    )}`,
  },
  { name: 'environments.getTags', arguments: (earlier) => [firstEnvironment(earlier)] },
  {
    name: 'environments.diff',
    only: '3.19.1',
    arguments: (earlier) => [{}, secondEnvironment(earlier)],
    fails: otherEnvironment,
    inSandbox:
      'ErrorDto 404: POST /v2/environments/{targetEnvironmentId}/diff exists in the service, not in the sandbox',
  },
  {
    name: 'environments.publish (dryRun)',
    only: '3.19.1',
    arguments: (earlier) => [{ dryRun: true }, secondEnvironment(earlier)],
    fails: otherEnvironment,
    inSandbox:
      'ErrorDto 404: POST /v2/environments/{targetEnvironmentId}/publish exists in the service, not in the sandbox',
  },
];

const events: PublicCall[] = [
  { name: 'trigger', arguments: [event] },
  {
    name: 'trigger (transactionId)',
    arguments: [{ ...event, to: { subscriberId: 'ada', firstName: 'A' }, transactionId: 'tx' }],
  },
  {
    name: 'trigger (unknown workflow)',
    arguments: [unknownEvent],
    fails: `error 422 rejected: ${missing('errors')}`,
  },
  { name: 'triggerBulk', arguments: [{ events: [event, unknownEvent] }] },
  { name: 'triggerBroadcast', arguments: [{ name: 'hello', payload: { n: 4 } }] },
  { name: 'cancel', arguments: ['tx'] },
  { name: 'messages.retrieve', arguments: [{ limit: 5 }] },
  { name: 'subscribers.notifications.feed', arguments: [{ subscriberId: 'ada', limit: 10 }] },
  { name: 'subscribers.notifications.unseenCount', arguments: [{ subscriberId: 'ada' }] },
  {
    name: 'subscribers.messages.markAllAs',
    arguments: (earlier) => {
      const id = earlier('subscribers.notifications.feed', 'result', 'data', 0, 'id');
      return [{ messageId: [id], markAs: 'read' }, 'ada'];
    },
  },
  { name: 'subscribers.messages.markAll', arguments: [{ markAs: 'seen' }, 'ada'] },
  { name: 'notifications.list', arguments: [{ limit: 5 }] },
  {
    name: 'notifications.retrieve',
    arguments: (earlier) => [earlier('notifications.list', 'result', 'data', 0, 'id')],
  },
  {
    name: 'messages.delete',
    arguments: (earlier) => [earlier('messages.retrieve', 'result', 'data', 0, 'id')],
  },
  {
    name: 'messages.deleteByTransactionId',
    arguments: (earlier) => [earlier('trigger', 'result', 'transactionId')],
  },
  { name: 'subscribers.delete', arguments: ['ada'] },
];

/** The first notification in the inbox. */
const notified =
  (more: object = {}) =>
  (earlier: Earlier) => [
    {
      subscriberId: 'eve',
      notificationId: earlier('subscribers.notifications.list', 'result', 'data', 0, 'id'),
      ...more,
    },
  ];
const connection = {
  ...{ identifier: 'team', integrationIdentifier: 'slack', subscriberId: 'eve' },
  ...{ workspace: { id: 'T1', name: 'Team' }, auth: { accessToken: 'xoxb-1' } },
};
const endpoint = {
  ...{ identifier: 'general', integrationIdentifier: 'slack', subscriberId: 'eve' },
  ...{ connectionIdentifier: 'team', type: 'slack_channel', endpoint: { channelId: 'C1' } },
};
const subscription = { topicKey: 'sports', identifier: 'evening' };

/** The operations of later versions. */
const additions = [
  { name: 'subscribers.create (eve)', arguments: [{ subscriberId: 'eve' }] },
  { name: 'trigger (eve)', arguments: [{ ...event, workflowId: 'choice', to: 'eve' }] },
  { name: 'subscribers.notifications.list', arguments: [{ subscriberId: 'eve' }] },
  { name: 'subscribers.notifications.count', arguments: ['eve', '[{"read":false}]'] },
  ...(['markAsRead', 'markAsUnread', 'archive', 'unarchive'] as const).map((method) => ({
    name: `subscribers.notifications.${method}`,
    arguments: notified(),
  })),
  {
    name: 'subscribers.notifications.snooze',
    arguments: notified({ snoozeSubscriberNotificationDto: { snoozeUntil: new Date(2e12) } }),
  },
  { name: 'subscribers.notifications.unsnooze', arguments: notified() },
  ...(['completeAction', 'revertAction'] as const).map((method) => ({
    name: `subscribers.notifications.${method}`,
    arguments: notified({ actionType: 'primary' }),
  })),
  {
    name: 'subscribers.notifications.markAsSeen',
    arguments: (earlier: Earlier) => {
      const id = earlier('subscribers.notifications.list', 'result', 'data', 0, 'id');
      return [{ notificationIds: [id] }, 'eve'];
    },
  },
  ...(['markAllAsRead', 'archiveAllRead', 'archiveAll'] as const).map((method) => ({
    name: `subscribers.notifications.${method}`,
    arguments: [{}, 'eve'],
  })),
  { name: 'subscribers.notifications.delete', arguments: notified() },
  { name: 'subscribers.notifications.deleteAll', arguments: [{}, 'eve'] },
  {
    name: 'topics.subscriptions.create (with an identifier)',
    arguments: [
      { subscriptions: [{ identifier: subscription.identifier, subscriberId: 'eve' }] },
      subscription.topicKey,
    ],
  },
  {
    name: 'topics.subscriptions.list (with an identifier)',
    arguments: [{ topicKey: subscription.topicKey }],
  },
  { name: 'subscribers.topics.list (with an identifier)', arguments: [{ subscriberId: 'eve' }] },
  {
    name: 'topics.subscriptions.getSubscription',
    arguments: [subscription.topicKey, subscription.identifier],
  },
  {
    name: 'topics.subscriptions.update',
    arguments: [{ ...subscription, updateTopicSubscriptionRequestDto: { name: 'Evening' } }],
  },
  {
    name: 'workflows.steps.generatePreview',
    arguments: [
      {
        ...{ workflowId: 'hello', stepId: 'inbox' },
        generatePreviewRequestDto: { previewPayload: {} },
      },
    ],
  },
  { name: 'channelConnections.create', arguments: [connection] },
  { name: 'channelConnections.list', arguments: [{ subscriberId: 'eve' }] },
  { name: 'channelConnections.retrieve', arguments: ['team'] },
  {
    name: 'channelConnections.update',
    arguments: [{ workspace: { id: 'T2' }, auth: { accessToken: 'xoxb-2' } }, 'team'],
  },
  { name: 'channelEndpoints.create', arguments: [endpoint] },
  { name: 'channelEndpoints.list', arguments: [{ subscriberId: 'eve' }] },
  { name: 'channelEndpoints.retrieve', arguments: ['general'] },
  { name: 'channelEndpoints.update', arguments: [{ endpoint: { channelId: 'C2' } }, 'general'] },
  { name: 'channelEndpoints.delete', arguments: ['general'] },
  { name: 'channelConnections.delete', arguments: ['team'] },
  {
    name: 'environmentVariables.create',
    arguments: (earlier: Earlier) => [
      { key: 'SHOP', values: [{ environmentId: firstEnvironment(earlier), value: 'Example' }] },
    ],
  },
  { name: 'environmentVariables.list', arguments: [] },
  { name: 'environmentVariables.retrieve', arguments: ['SHOP'] },
  {
    name: 'environmentVariables.update',
    arguments: (earlier: Earlier) => [
      { values: [{ environmentId: firstEnvironment(earlier), value: 'Other' }] },
      'SHOP',
    ],
  },
  {
    name: 'environmentVariables.update (isSecret)',
    arguments: [{ isSecret: true }, 'SHOP'],
    fails:
      'ErrorDto 403: This authentication scheme is scoped to a single environment and cannot update shared environment variable metadata. Only per-environment values can be updated, or authenticate with a session token.',
  },
  { name: 'environmentVariables.usage', arguments: ['SHOP'] },
  { name: 'environmentVariables.delete', arguments: ['SHOP'] },
].map((call) => ({ ...call, only: '3.19.1' as const, since: '3.19' as const }));

export const publicCalls: readonly PublicCall[] = [
  ...[...subscribers, ...topicsAndContexts, ...configuration, ...events],
  ...additions,
];
