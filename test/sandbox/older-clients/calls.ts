// The calls of an application that uses @novu/node, one for each method of the client and in order, and the outcome of
// each with a real server (Novu 3.11.0): a call that it rejects has the reason.

/** Reads a member of the response to an earlier call. */
export type Earlier = (call: string, ...keys: (string | number)[]) => unknown;

export interface OlderCall {
  /** The method of the client, with a remark after a space. */
  name: string;
  arguments: unknown[] | ((earlier: Earlier) => unknown[]);
  /** The status and text of the response if the service rejects the call. */
  fails?: string;
  /** The only version that has the method. */
  only?: '2.6.6';
}

const sessionOnly = '401 API endpoint not accessible';

const events: OlderCall[] = [
  { name: 'trigger', arguments: ['hello', { to: 'u1', payload: { name: 'Ada' } }] },
  {
    name: 'trigger (subscriber)',
    arguments: ['hello', { to: { subscriberId: 'u1', firstName: 'Ada' }, payload: {} }],
  },
  {
    name: 'trigger (unknown workflow)',
    arguments: ['unknown', { to: 'u1', payload: {} }],
    fails: '422 workflow_not_found',
  },
  { name: 'events.trigger', arguments: ['reminder', { to: 'u1', transactionId: 'tx' }] },
  { name: 'bulkTrigger', arguments: [[{ name: 'hello', to: 'u1', payload: {} }]] },
  { name: 'events.bulkTrigger', arguments: [[{ name: 'hello', to: 'u1', payload: {} }]] },
  { name: 'broadcast', arguments: ['hello', { payload: {} }] },
  { name: 'events.broadcast', arguments: ['hello', { payload: {} }] },
  { name: 'events.cancel', arguments: ['tx'] },
];

const feedItem = (earlier: Earlier) =>
  earlier('subscribers.getNotificationsFeed', 'data', 0, '_id');

const subscribers: OlderCall[] = [
  { name: 'subscribers.list', arguments: [0, 10] },
  { name: 'subscribers.get', arguments: ['u1'] },
  { name: 'subscribers.identify', arguments: ['ada', { email: 'ada@example.com' }] },
  { name: 'subscribers.bulkCreate', arguments: [[{ subscriberId: 'b1' }]] },
  { name: 'subscribers.update', arguments: ['ada', { firstName: 'Ada' }] },
  { name: 'subscribers.setCredentials', arguments: ['ada', 'fcm', { deviceTokens: ['t'] }] },
  { name: 'subscribers.unsetCredentials', arguments: ['ada', 'fcm'] },
  { name: 'subscribers.deleteCredentials', arguments: ['ada', 'fcm'] },
  {
    name: 'subscribers.updateOnlineStatus',
    arguments: ['ada', true],
    // The client names the member `online`.
    fails: '422 isOnline should not be null or undefined; isOnline must be a boolean value',
  },
  { name: 'subscribers.getPreference', arguments: ['u1'] },
  {
    name: 'subscribers.getPreference (inactive channels)',
    arguments: ['u1', { includeInactiveChannels: false }],
  },
  { name: 'subscribers.getGlobalPreference', arguments: ['u1'] },
  { name: 'subscribers.getPreferenceByLevel', arguments: ['u1', 'template'] },
  {
    name: 'subscribers.updatePreference',
    arguments: ['u1', 'hello', { channel: { type: 'in_app', enabled: true } }],
  },
  {
    name: 'subscribers.updateGlobalPreference',
    arguments: ['u1', { enabled: true, preferences: [{ type: 'sms', enabled: true }] }],
  },
  { name: 'subscribers.getNotificationsFeed', arguments: ['u1', { page: 0 }] },
  { name: 'subscribers.getUnseenCount', arguments: ['u1', false] },
  { name: 'subscribers.markMessageSeen', arguments: (earlier) => ['u1', feedItem(earlier)] },
  { name: 'subscribers.markMessageRead', arguments: (earlier) => ['u1', feedItem(earlier)] },
  {
    name: 'subscribers.markMessageAs',
    arguments: (earlier) => ['u1', feedItem(earlier), { read: false, seen: true }],
  },
  { name: 'subscribers.markAllMessagesAs', arguments: ['u1', 'seen'] },
  {
    name: 'subscribers.markMessageActionSeen',
    arguments: (earlier) => ['u1', feedItem(earlier), 'primary', { status: 'done' }],
  },
  { name: 'subscribers.delete', arguments: ['ada'] },
];

const topics: OlderCall[] = [
  { name: 'topics.create', arguments: [{ key: 'news', name: 'News' }] },
  { name: 'topics.addSubscribers', arguments: ['news', { subscribers: ['u1', 'unknown'] }] },
  { name: 'topics.getSubscriber', arguments: ['news', 'u1'] },
  { name: 'topics.checkSubscriber', arguments: ['news', 'u1'] },
  { name: 'topics.list', arguments: [{ page: 0, pageSize: 5 }] },
  { name: 'topics.get', arguments: ['news'] },
  { name: 'topics.rename', arguments: ['news', 'All news'] },
  { name: 'topics.removeSubscribers', arguments: ['news', { subscribers: ['u1'] }] },
  { name: 'topics.delete', arguments: ['news'] },
];

const group = (earlier: Earlier) => earlier('notificationGroups.create', 'data', '_id');
const template = (earlier: Earlier) => earlier('notificationTemplates.create', 'data', '_id');
const layout = (earlier: Earlier) => earlier('layouts.create', 'data', '_id');

const workflows: OlderCall[] = [
  { name: 'notificationGroups.get', arguments: [] },
  { name: 'notificationGroups.create', arguments: ['Billing'] },
  { name: 'notificationGroups.getOne', arguments: (earlier) => [group(earlier)] },
  {
    name: 'notificationGroups.update',
    arguments: (earlier) => [group(earlier), { name: 'Invoices' }],
  },
  {
    name: 'notificationTemplates.create',
    arguments: (earlier) => [
      {
        ...{ name: 'Invoice paid', notificationGroupId: group(earlier), active: false },
        steps: [{ active: true, template: { type: 'in_app', content: 'Paid by {{name}}' } }],
      },
    ],
  },
  { name: 'notificationTemplates.getAll', arguments: [] },
  { name: 'notificationTemplates.getOne', arguments: (earlier) => [template(earlier)] },
  {
    name: 'notificationTemplates.update',
    arguments: (earlier) => [
      template(earlier),
      { name: 'Invoice', notificationGroupId: group(earlier) },
    ],
  },
  { name: 'notificationTemplates.updateStatus', arguments: (earlier) => [template(earlier), true] },
  { name: 'trigger (template)', arguments: ['invoice-paid', { to: 'u1', payload: { name: 'A' } }] },
  { name: 'notificationTemplates.delete', arguments: (earlier) => [template(earlier)] },
  { name: 'notificationGroups.delete', arguments: (earlier) => [group(earlier)] },
  {
    name: 'layouts.create',
    arguments: [
      {
        ...{ name: 'Main', identifier: 'main', content: '<body>{{{body}}}</body>' },
        ...{ variables: [], isDefault: false },
      },
    ],
  },
  { name: 'layouts.list', arguments: [{ page: 0 }] },
  { name: 'layouts.get', arguments: (earlier) => [layout(earlier)] },
  { name: 'layouts.update', arguments: (earlier) => [layout(earlier), { name: 'Frame' }] },
  { name: 'layouts.delete', arguments: (earlier) => [layout(earlier)] },
  {
    name: 'layouts.create (default)',
    arguments: [{ name: 'Other', identifier: 'other', content: '{{{body}}}' }],
  },
  {
    name: 'layouts.setDefault',
    arguments: (earlier) => [earlier('layouts.create (default)', 'data', '_id')],
  },
  { name: 'feeds.create', arguments: ['billing'] },
  { name: 'feeds.get', arguments: [] },
  { name: 'feeds.delete', arguments: (earlier) => [earlier('feeds.create', 'data', '_id')] },
  { name: 'changes.get', arguments: [{ page: 0, limit: 10, promoted: false }] },
  { name: 'changes.getCount', arguments: [] },
  {
    name: 'changes.applyOne',
    arguments: ['000000000000000000000000'],
    fails: '404 Parent Change not found',
  },
  { name: 'changes.applyMany', arguments: [['000000000000000000000000']] },
];

const integration = (earlier: Earlier) => earlier('integrations.create', 'data', '_id');
const environment = (earlier: Earlier) => earlier('environments.getCurrent', 'data', '_id');

const configuration: OlderCall[] = [
  { name: 'environments.getCurrent', arguments: [] },
  { name: 'environments.getAll', arguments: [] },
  { name: 'environments.create', arguments: [{ name: 'Staging', color: '#123456' }] },
  {
    name: 'environments.updateOne',
    arguments: (earlier) => [environment(earlier), { identifier: 'abc' }],
  },
  { name: 'environments.getApiKeys', arguments: [] },
  { name: 'environments.regenerateApiKeys', arguments: [], fails: sessionOnly },
  {
    name: 'integrations.create',
    arguments: [
      'twilio',
      { channel: 'sms', credentials: { accountSid: 'a', token: 't', from: '+1' }, active: true },
    ],
  },
  { name: 'integrations.getAll', arguments: [] },
  { name: 'integrations.getActive', arguments: [] },
  { name: 'integrations.getInAppStatus', arguments: [], fails: sessionOnly },
  { name: 'integrations.getWebhookProviderStatus', arguments: ['twilio'] },
  { name: 'integrations.update', arguments: (earlier) => [integration(earlier), { name: 'SMS' }] },
  { name: 'integrations.setIntegrationAsPrimary', arguments: (earlier) => [integration(earlier)] },
  { name: 'integrations.delete', arguments: (earlier) => [integration(earlier)] },
  { name: 'inboundParse.getMxStatus', arguments: [] },
  { name: 'organizations.list', arguments: [] },
  { name: 'organizations.getCurrent', arguments: [] },
  { name: 'organizations.getMembers', arguments: [] },
  { name: 'organizations.rename', arguments: [{ name: 'Acme' }] },
  { name: 'organizations.updateBranding', arguments: [{ color: '#123456' }] },
  { name: 'organizations.create', arguments: [{ name: 'Other' }] },
  {
    name: 'organizations.removeMember',
    arguments: (earlier) => [earlier('organizations.getMembers', 'data', 0, '_id')],
    fails: '400 Cannot remove self from members',
  },
  {
    name: 'organizations.updateMemberRole',
    arguments: (earlier) => [
      earlier('organizations.getMembers', 'data', 0, '_id'),
      { role: 'admin' },
    ],
    fails: sessionOnly,
  },
];

const tenantId = (earlier: Earlier) => earlier('tenants.create', 'data', '_id');
const override = (earlier: Earlier) => earlier('workflowOverrides.create', 'data', '_id');
const workflowId = (earlier: Earlier) =>
  earlier('subscribers.getPreference', 'data', 0, 'template', '_id');

const tenants: OlderCall[] = [
  { name: 'tenants.create', arguments: ['acme', { name: 'Acme', data: { plan: 'pro' } }] },
  { name: 'tenants.list', arguments: [{ page: 0, limit: 5 }] },
  { name: 'tenants.get', arguments: ['acme'] },
  { name: 'tenants.update', arguments: ['acme', { name: 'Acme Inc' }] },
  { name: 'trigger (tenant)', arguments: ['hello', { to: 'u1', payload: {}, tenant: 'acme' }] },
  {
    name: 'workflowOverrides.create',
    arguments: (earlier) => [
      { workflowId: workflowId(earlier), tenantId: tenantId(earlier), active: true },
    ],
  },
  { name: 'workflowOverrides.list', arguments: [] },
  { name: 'workflowOverrides.getOneById', arguments: (earlier) => [override(earlier)] },
  {
    name: 'workflowOverrides.getOneByTenantIdandWorkflowId',
    arguments: (earlier) => [workflowId(earlier), tenantId(earlier)],
  },
  {
    name: 'workflowOverrides.updateOneById',
    arguments: (earlier) => [override(earlier), { active: false }],
  },
  {
    name: 'workflowOverrides.updateOneByTenantIdandWorkflowId',
    arguments: (earlier) => [workflowId(earlier), tenantId(earlier), { active: true }],
  },
  { name: 'workflowOverrides.delete', arguments: (earlier) => [override(earlier)] },
  { name: 'tenants.delete', arguments: ['acme'] },
];

const messages: OlderCall[] = [
  { name: 'messages.list', arguments: [{ limit: 5, subscriberId: 'u1' }] },
  {
    name: 'messages.deleteById',
    arguments: (earlier) => [earlier('messages.list', 'data', 0, '_id')],
  },
  {
    name: 'messages.deleteByTransactionId',
    arguments: (earlier) => [earlier('trigger', 'data', 'transactionId')],
    only: '2.6.6',
  },
  {
    name: 'executionDetails.get',
    arguments: (earlier) => [
      {
        notificationId: earlier('messages.list', 'data', 0, '_notificationId'),
        subscriberId: 'u1',
      },
    ],
  },
];

export const olderCalls = [
  ...events,
  ...subscribers,
  ...topics,
  ...workflows,
  ...configuration,
  ...tenants,
  ...messages,
];
