// Every operation on the built-in seed data: its success status and the schema of its response.
import { describe, expect, test } from 'vitest';
import { developmentId, seedId } from '../../src/sandbox/store/ids.ts';
import { type EmulatedId, emulatedIds, operations } from '../../src/service/operations/index.ts';
import { openSandbox } from '../sandbox/open.ts';

const overriddenWorkflow = seedId('workflow:welcome');
const overridingTenant = seedId('context:tenant:org-acme');
const newOverride = { workflowId: overriddenWorkflow, tenantId: overridingTenant };
const overridePath = `/v1/workflow-overrides/workflows/${overriddenWorkflow}/tenants/${overridingTenant}`;

type TestRequest = [line: string, body?: unknown];

/** Operations that fail in a sandbox: it records no changes, has no endpoint, and its only member cannot be removed. */
type Failing = 'applyChange' | 'removeMember' | 'syncBridge' | 'diffBridge';

const requests: Record<Exclude<EmulatedId, Failing>, TestRequest> = {
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
  listIntegrations: ['GET /v1/integrations'],
  listActiveIntegrations: ['GET /v1/integrations/active'],
  createIntegration: ['POST /v1/integrations', { providerId: 'twilio', channel: 'sms' }],
  setPrimaryIntegration: [
    `POST /v1/integrations/${seedId('integration:sendgrid-email')}/set-primary`,
  ],
  listSubscribers: ['GET /v2/subscribers'],
  getSubscriber: ['GET /v2/subscribers/u1'],
  createSubscriber: ['POST /v2/subscribers', { subscriberId: 'new' }],
  updateSubscriber: ['PATCH /v2/subscribers/u1', { firstName: 'Ada' }],
  deleteSubscriber: ['DELETE /v2/subscribers/u1'],
  listSubscriberTopics: ['GET /v2/subscribers/u1/subscriptions'],
  updateManyPreferences: [
    'PATCH /v2/subscribers/u1/preferences/bulk',
    { preferences: [{ workflowId: 'welcome', channels: { email: false } }] },
  ],
  replaceSubscriberCredentials: [
    'PUT /v1/subscribers/u1/credentials',
    { providerId: 'fcm', credentials: { deviceTokens: ['t'] } },
  ],
  countInboxNotifications: ['GET /v1/subscribers/u1/notifications/unseen'],
  markAllInboxNotifications: ['POST /v1/subscribers/u1/messages/mark-all', { markAs: 'read' }],
  listSubscribersV1: ['GET /v1/subscribers'],
  getSubscriberV1: ['GET /v1/subscribers/u1?includeTopics=true'],
  createSubscriberV1: ['POST /v1/subscribers', { subscriberId: 'new' }],
  updateSubscriberV1: ['PUT /v1/subscribers/u1', { firstName: 'Ada' }],
  deleteSubscriberV1: ['DELETE /v1/subscribers/u1'],
  setNotificationAction: [
    'POST /v1/subscribers/u1/messages/{inbox}/actions/primary',
    { status: 'done' },
  ],
  setOnlineStatus: ['PATCH /v1/subscribers/u1/online-status', { isOnline: true }],
  getTopicSubscriber: ['GET /v1/topics/announcements/subscribers/u1'],
  createTopic: ['POST /v2/topics', { key: 'new' }],
  deleteTopic: ['DELETE /v2/topics/announcements'],
  listTopicSubscriptions: ['GET /v2/topics/announcements/subscriptions'],
  unsubscribeFromTopic: [
    'DELETE /v2/topics/announcements/subscriptions',
    { subscriberIds: ['u1'] },
  ],
  createContext: ['POST /v2/contexts', { type: 'tenant', id: 'new' }],
  updateContext: ['PATCH /v2/contexts/tenant/org-acme', { data: { a: 1 } }],
  deleteContext: ['DELETE /v2/contexts/tenant/org-acme'],
  updateEnvironment: [`PUT /v1/environments/${developmentId}`, { color: '#abcdef' }],
  deleteEnvironment: ['DELETE /v1/environments/{id}'],
  listEnvironmentTags: [`GET /v2/environments/${developmentId}/tags`],
  createWorkflow: ['POST /v2/workflows', { workflowId: 'new', name: 'New', steps: [] }],
  updateWorkflow: [
    'PUT /v2/workflows/welcome',
    { name: 'Welcome', origin: 'novu-cloud', steps: [] },
  ],
  patchWorkflow: ['PATCH /v2/workflows/welcome', { active: false }],
  deleteWorkflow: ['DELETE /v2/workflows/welcome'],
  listLayouts: ['GET /v2/layouts'],
  getLayout: ['GET /v2/layouts/main'],
  createLayout: ['POST /v2/layouts', { layoutId: 'new', name: 'New' }],
  updateLayout: ['PUT /v2/layouts/main', { name: 'Main' }],
  deleteLayout: ['DELETE /v2/layouts/other'],
  duplicateLayout: ['POST /v2/layouts/main/duplicate', { name: 'Copy' }],
  getLayoutUsage: ['GET /v2/layouts/main/usage'],
  previewLayout: ['POST /v2/layouts/main/preview', {}],
  triggerEvent: ['POST /v1/events/trigger', { name: 'welcome', to: 'u1', payload: {} }],
  broadcastEvent: ['POST /v1/events/trigger/broadcast', { name: 'welcome', payload: {} }],
  listMessages: ['GET /v1/messages'],
  deleteMessage: ['DELETE /v1/messages/67748580259aa8ef98259b2b'],
  deleteTransactionMessages: ['DELETE /v1/messages/transaction/{tx}'],
  getActivityStats: ['GET /v1/notifications/stats'],
  getActivity: ['GET /v1/notifications/{activity}'],
  listExecutionDetails: ['GET /v1/execution-details?notificationId={activity}&subscriberId=u1'],
  markMessagesV1: [
    'POST /v1/subscribers/u1/messages/markAs',
    { messageId: seedId('message:invoice'), mark: { read: true } },
  ],
  getCurrentEnvironment: ['GET /v1/environments/me'],
  listApiKeys: ['GET /v1/environments/api-keys'],
  getWebhookStatus: [
    `GET /v1/integrations/webhook/provider/${seedId('integration:sendgrid-email')}/status`,
  ],
  listTopicsV1: ['GET /v1/topics'],
  getTopicV1: ['GET /v1/topics/announcements'],
  createTopicV1: ['POST /v1/topics', { key: 'new', name: 'New' }],
  renameTopicV1: ['PATCH /v1/topics/announcements', { name: 'News' }],
  deleteTopicV1: ['DELETE /v1/topics/new'],
  addTopicSubscribers: ['POST /v1/topics/announcements/subscribers', { subscribers: ['u5', 'x'] }],
  removeTopicSubscribers: [
    'POST /v1/topics/announcements/subscribers/removal',
    { subscribers: ['u1'] },
  ],
  listPreferencesV1: ['GET /v1/subscribers/u1/preferences'],
  listPreferencesOfLevel: ['GET /v1/subscribers/u1/preferences/global'],
  updatePreferenceV1: [
    'PATCH /v1/subscribers/u1/preferences/welcome',
    { channel: { type: 'email', enabled: false } },
  ],
  updateGlobalPreferenceV1: ['PATCH /v1/subscribers/u1/preferences', {}],
  listWorkflowsV1: ['GET /v1/workflows'],
  getWorkflowV1: ['GET /v1/workflows/welcome'],
  createWorkflowV1: ['POST /v1/workflows', { name: 'New', notificationGroupId: 'g', steps: [] }],
  updateWorkflowV1: ['PUT /v1/workflows/{created}', { name: 'Newer' }],
  setWorkflowStatus: ['PUT /v1/workflows/{created}/status', { active: true }],
  deleteWorkflowV1: ['DELETE /v1/workflows/{created}'],
  listLayoutsV1: ['GET /v1/layouts'],
  getLayoutV1: ['GET /v1/layouts/{created}'],
  createLayoutV1: ['POST /v1/layouts', { name: 'New', identifier: 'new', content: '{{{body}}}' }],
  updateLayoutV1: ['PATCH /v1/layouts/{created}', { name: 'Newer' }],
  deleteLayoutV1: ['DELETE /v1/layouts/{created}'],
  setDefaultLayout: ['POST /v1/layouts/{created}/default'],
  listNotificationGroups: ['GET /v1/notification-groups'],
  createNotificationGroup: ['POST /v1/notification-groups', { name: 'Billing' }],
  getNotificationGroup: ['GET /v1/notification-groups/{created}'],
  renameNotificationGroup: ['PATCH /v1/notification-groups/{created}', { name: 'Invoices' }],
  deleteNotificationGroup: ['DELETE /v1/notification-groups/{created}'],
  listFeeds: ['GET /v1/feeds'],
  createFeed: ['POST /v1/feeds', { name: 'billing' }],
  deleteFeed: ['DELETE /v1/feeds/{created}'],
  listChanges: ['GET /v1/changes?promoted=false'],
  countChanges: ['GET /v1/changes/count'],
  applyChanges: ['POST /v1/changes/bulk/apply', { changeIds: [] }],
  listTenants: ['GET /v1/tenants'],
  getTenant: ['GET /v1/tenants/org-acme'],
  createTenant: ['POST /v1/tenants', { identifier: 'new', name: 'New' }],
  updateTenant: ['PATCH /v1/tenants/org-acme', { name: 'Acme' }],
  deleteTenant: ['DELETE /v1/tenants/org-acme'],
  listWorkflowOverrides: ['GET /v1/workflow-overrides'],
  createWorkflowOverride: ['POST /v1/workflow-overrides', newOverride],
  getTenantWorkflowOverride: [`GET ${overridePath}`],
  updateTenantWorkflowOverride: [`PUT ${overridePath}`, { active: false }],
  getWorkflowOverride: ['GET /v1/workflow-overrides/{created}'],
  updateWorkflowOverride: ['PUT /v1/workflow-overrides/{created}', { active: false }],
  deleteWorkflowOverride: ['DELETE /v1/workflow-overrides/{created}'],
  listOrganizations: ['GET /v1/organizations'],
  getOrganization: ['GET /v1/organizations/me'],
  createOrganization: ['POST /v1/organizations', { name: 'Other' }],
  renameOrganization: ['PATCH /v1/organizations', { name: 'Acme' }],
  updateBranding: ['PUT /v1/organizations/branding', { color: '#123456' }],
  listMembers: ['GET /v1/organizations/members'],
  getUser: ['GET /v1/users/me'],
  validateBridge: ['POST /v1/bridge/validate', { bridgeUrl: 'http://127.0.0.1:1' }],
  getMailServerStatus: ['GET /v1/inbound-parse/mx/status'],
};

/** Creates the resource that an operation needs and the seed lacks. */
function creationFor(line: string): TestRequest | undefined {
  if (line.includes('/v1/topics/new')) return requests.createTopicV1;
  if (line.includes(overridePath)) return requests.createWorkflowOverride;
  if (!line.includes('{created}')) return undefined;
  const path = line.replace(/^\w+ (\/v1\/[\w-]+)\/.*$/, '$1');
  return Object.values(requests).find(([other]) => other === `POST ${path}`);
}

/** Opens a sandbox with what the seed lacks. Returns the request with its ids. */
async function openFor(id: keyof typeof requests, options: Parameters<typeof openSandbox>[0] = {}) {
  const { ask } = await openSandbox(options);
  const [line, body] = requests[id];
  const { data: [message] = [] } = (await ask('GET /v1/messages?limit=1')).body;
  const { data: [activity] = [] } = (await ask('GET /v1/notifications?limit=1')).body;
  const { data: [notification] = [] } = (await ask('GET /v1/subscribers/u1/notifications/feed'))
    .body;
  const creation = creationFor(line);
  const created = creation && (await ask(...creation)).body;
  let environment = '';
  if (id.endsWith('Layout') || id === 'getLayoutUsage') {
    for (const layoutId of ['main', 'other'])
      await ask('POST /v2/layouts', { layoutId, name: layoutId });
  }
  if (id === 'deleteEnvironment') {
    const created = await ask('POST /v1/environments', { name: 'Stage', color: '#abc' });
    environment = (created.body.data ?? created.body)._id;
  }
  const filled = line
    .replace('{id}', environment)
    .replace('{created}', (created?.data ?? created)?._id)
    .replace('{inbox}', notification._id)
    .replace('{tx}', message.transactionId)
    .replace('{activity}', activity._id);
  return { ask, request: [filled, body] as [string, unknown] };
}

const testedIds = emulatedIds.filter((id): id is keyof typeof requests => id in requests);

describe.each(testedIds)('%s', (id) => {
  test('returns the status and the response format in the registry', async () => {
    const { ask, request } = await openFor(id, { mode: 'specification' });
    const { status, body } = await ask(...request);
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
    const { ask, request } = await openFor(id);
    const { ask: askWrapped, request: wrappedRequest } = await openFor(id, { envelope: true });
    const plain = await ask(...request);
    const wrapped = await askWrapped(...wrappedRequest);
    expect(wrapped.status).toBe(plain.status);
    if (plain.body === undefined) expect(wrapped.body ?? {}).toEqual({});
    else expect(Object.keys(wrapped.body)).toContain('data');
    const isOwn = 'hasDataField' in operations[id];
    if (isOwn) expect(Object.keys(wrapped.body)).toEqual(Object.keys(plain.body));
  });
});
