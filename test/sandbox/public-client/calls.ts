// The calls of an application that uses @novu/api, in order, and the outcome of each with a real server (Novu 3.11.0).

export type Version = '3.11.0' | '3.19.1';

/** Reads a member of the result of an earlier call. */
export type Earlier = (call: string, ...keys: (string | number)[]) => unknown;

export interface PublicCall {
  /** The method of the client, with a remark after a space. */
  name: string;
  arguments: unknown[] | ((earlier: Earlier, version: Version) => unknown[]);
  /** The outcome if the call does not succeed; by version if they differ. */
  fails?: string | Partial<Record<Version, string>>;
  /** The outcome in the sandbox, if that differs. */
  inSandbox?: string;
  /** The only version that has the method. */
  only?: Version;
}

const missing = (...fields: string[]) => fields.map((field) => `${field}: Required`).join('; ');
const noIdentifier = { '3.19.1': `response rejected: ${missing('Result.data.*.identifier')}` };
const resourceTypes = 'response rejected: resourceType';

const person = {
  subscriberId: 'ada',
  firstName: 'Ada',
  email: 'ada@example.com',
  data: { plan: 'pro' },
};
const smtp = {
  ...{ name: 'SMTP', identifier: 'smtp', providerId: 'nodemailer', channel: 'email', active: true },
  credentials: {
    ...{ host: '127.0.0.1', port: '25', user: 'u', password: 'p' },
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

const createdIntegration = (earlier: Earlier) => earlier('integrations.create', 'result', 'id');
const firstEnvironment = (earlier: Earlier) => earlier('environments.list', 'result', 0, 'id');
const secondEnvironment = (earlier: Earlier) => earlier('environments.list', 'result', 1, 'id');

const configuration: PublicCall[] = [
  { name: 'integrations.create', arguments: [smtp] },
  { name: 'integrations.list', arguments: [] },
  { name: 'integrations.listActive', arguments: [] },
  {
    name: 'integrations.update',
    arguments: (earlier) => [{ name: 'Mail' }, createdIntegration(earlier)],
  },
  {
    name: 'integrations.setAsPrimary',
    arguments: (earlier) => [createdIntegration(earlier)],
    fails: 'SDKError 201: Unexpected Status or Content-Type',
  },
  {
    name: 'integrations.delete',
    arguments: (earlier) => [createdIntegration(earlier)],
    fails: { '3.11.0': `response rejected: ${missing('Result.*.credentials')}` },
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
    fails: resourceTypes,
    inSandbox:
      'ErrorDto 404: POST /v2/environments/{targetEnvironmentId}/diff exists in the service, not in the sandbox',
  },
  {
    name: 'environments.publish (dryRun)',
    only: '3.19.1',
    arguments: (earlier) => [{ dryRun: true }, secondEnvironment(earlier)],
    fails: resourceTypes,
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

export const publicCalls = [...subscribers, ...topicsAndContexts, ...configuration, ...events];
