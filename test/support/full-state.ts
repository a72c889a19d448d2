// A state in which every member of a resource differs between two instances of it.
import type { SandboxState } from '../../src/sandbox/state/schema.ts';
import { integrationCredentialsBody } from '../../src/service/schemas/integrations.ts';
import { channelTypes, weekDays } from '../../src/service/schemas/vocabulary.ts';

const children = [{ field: 'plan', value: 'pro', operator: 'EQUAL', on: 'payload' }] as const;
const condition = { isNegated: true, type: 'GROUP', value: 'OR', children: [...children] } as const;
const hours = [{ start: '09:00 AM', end: '05:00 PM' }];
const week = Object.fromEntries(weekDays.map((day) => [day, { isEnabled: true, hours }]));
/** Each has a value of its kind. */
const everyCredential = Object.fromEntries(
  Object.entries(integrationCredentialsBody.shape).map(([name, schema]) => [
    name,
    [true, { minVersion: 'TLSv1.2' }].find((value) => schema.safeParse(value).success) ??
      `value of ${name}`,
  ]),
);
const allOff = Object.fromEntries(channelTypes.map((channel) => [channel, false]));
const off = { enabled: false };
const offEverywhere = { email: off, sms: off, in_app: off, chat: off, push: off };

export const fullState: SandboxState = {
  version: 1,
  environments: [
    {
      ...{ name: 'Development', identifier: 'development', color: '#abcdef' },
      integrations: [
        {
          ...{ identifier: 'inbox', name: 'Inbox', providerId: 'novu', channel: 'in_app' },
          credentials: { hmac: true },
        },
        {
          ...{ identifier: 'mail', name: 'Mail', providerId: 'sendgrid', channel: 'email' },
          ...{ primary: true, credentials: { apiKey: 'key', from: 'a@b.cc', senderName: 'A' } },
        },
        {
          ...{ identifier: 'other-mail', name: 'Other', providerId: 'mailgun', channel: 'email' },
          ...{ active: false, conditions: [condition] },
          credentials: everyCredential,
          configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'signing-key' },
        },
        {
          ...{ identifier: 'push', name: 'Push', providerId: 'fcm', channel: 'push' },
          credentials: { serviceAccount: '{"project_id":"p"}' },
          conditions: [
            {
              ...{ isNegated: false, type: 'BOOLEAN', value: 'AND' },
              children: [{ field: 'tier', value: '2', operator: 'LARGER', on: 'subscriber' }],
            },
          ],
        },
        {
          ...{ identifier: 'chat', name: 'Chat', providerId: 'slack', channel: 'chat' },
          credentials: { applicationId: 'a', clientId: '1.2', secretKey: 'secret' },
        },
      ],
      layouts: [
        { layoutId: 'bare' },
        {
          ...{ layoutId: 'frame', name: 'Frame', isDefault: true, isTranslationEnabled: true },
          ...{ editorType: 'html', body: '<html><body>{{content}}</body></html>' },
        },
      ],
      workflows: [
        {
          workflowId: 'all-channels',
          steps: channelTypes.map((type) => ({
            ...{
              stepId: type.replace('_', '-'),
              type,
              controlValues: { subject: 'Hi', body: 'Hello' },
            },
          })),
        },
        {
          ...{ workflowId: 'code', origin: 'external' },
          steps: [
            {
              ...{ stepId: 'text', type: 'sms', controlValues: {} },
              issues: { controls: { body: [{ issueType: 'MISSING_VALUE', message: 'No body' }] } },
            },
          ],
        },
        {
          workflowId: 'bare',
          steps: [{ stepId: 'text', type: 'sms', controlValues: { body: 'Hi' } }],
        },
        {
          ...{ workflowId: 'full', name: 'Full', description: 'All settings', tags: ['a', 'b'] },
          ...{ active: false, validatePayload: true, isTranslationEnabled: true, severity: 'high' },
          payloadSchema: { type: 'object', properties: { name: { type: 'string' } } },
          payloadExample: { name: 'Ada' },
          preferences: {
            user: { all: { enabled: false, readOnly: true }, channels: offEverywhere },
            default: { all: { enabled: false, readOnly: true }, channels: offEverywhere },
          },
          steps: [
            {
              ...{ stepId: 'mail', name: 'Mail', type: 'email' },
              controlValues: { subject: 'Hello', body: '{{payload.name}}', editorType: 'html' },
            },
          ],
        },
      ],
      subscribers: [
        { subscriberId: 'bare' },
        {
          subscriberId: 'chooser',
          preferences: { workflows: { 'all-channels': { channels: allOff } } },
        },
        {
          ...{ subscriberId: 'full', firstName: 'Ada', lastName: 'Okafor', phone: '+15550100' },
          ...{ email: 'ada@example.com', avatar: 'https://example.com/a.png', locale: 'en-US' },
          ...{ timezone: 'Europe/Berlin', data: { plan: 'pro' } },
          credentials: {
            push: { deviceTokens: ['token'] },
            chat: { webhookUrl: 'https://example.com/hook', channel: '#all' },
          },
          preferences: {
            global: { channels: allOff, schedule: { isEnabled: true, weeklySchedule: week } },
          },
        },
      ],
      topics: [
        { key: 'bare', subscribers: ['full'] },
        {
          ...{ key: 'full', name: 'Full', subscribers: ['bare', 'full'] },
          subscriptions: [
            {
              ...{ subscriberId: 'full', identifier: 'full-named', name: 'Named' },
              contextKeys: ['tenant:bare'],
              preferences: [
                { workflowId: 'bare', enabled: false },
                {
                  workflowId: 'all-channels',
                  enabled: true,
                  condition: { '==': [{ var: 'payload.tier' }, 'pro'] },
                },
              ],
            },
          ],
        },
      ],
      contexts: [
        { type: 'tenant', id: 'bare' },
        { type: 'region', id: 'full', data: { plan: 'pro' } },
      ],
    },
    {
      name: 'Full',
      identifier: 'full-environment',
      type: 'prod',
      color: '#123456',
      parent: 'Development',
    },
  ],
};
