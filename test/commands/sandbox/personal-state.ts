// The state of an environment with personal data and secrets in every place, and the list of these values.

import type { Mode } from '../../../src/service/mode.ts';
import type { SandboxState } from '../../support/sandbox-311.ts';

export const personal = {
  ids: ['grace.hopper@navy.test', '+4915112345678', '0049 30 9876543', 'user:jean@sammet.test'],
  names: ['Grace', 'Hopper', 'Jean', 'Sammet', 'Radia', 'Perlman'],
  addresses: ['grace@private.test', 'radia@private.test', 'jean@private.test'],
  phones: ['+4915112345678', '+14155550123', '030-5557771'],
  avatars: ['https://pictures.test/grace.png'],
  topicKeys: ['watchers:grace.hopper@navy.test', '+14155550199'],
  topicNames: ['Watchers of grace.hopper@navy.test'],
  contextIds: ['4915112345678'],
};

/** Free data: dropped, or kept with --keep-data. */
export const data = {
  subscriber: ['gold-plan', 'Arlington'],
  context: ['Navy-contract'],
  addresses: ['grace.boss@navy.test', '+14155550777'],
};

export const secrets = [
  ...['SG.very-secret', 'mailer@company.test', 'Secret Sender', 'AC-secret', 'twilio-token'],
  ...['device-token-1', 'https://hooks.slack.test/secret', 'signing-secret', '+14155550666'],
];

export const allPersonalValues: string[] = Object.values(personal).flat();

export function personalState(mode: Mode = 'novu'): SandboxState {
  const [email, phone, spaced, prefixed] = personal.ids as [string, string, string, string];
  return {
    version: 1,
    compat: mode,
    environments: [
      {
        name: 'Development',
        integrations: [
          { identifier: 'in-app', name: 'Inbox', providerId: 'svc', channel: 'in_app' },
          {
            ...{ identifier: 'mail', name: 'SendGrid', providerId: 'sendgrid', channel: 'email' },
            primary: true,
            credentials: {
              ...{ apiKey: 'SG.very-secret', from: 'mailer@company.test' },
              ...{ senderName: 'Secret Sender', secure: true },
            },
            configurations: {
              inboundWebhookEnabled: true,
              inboundWebhookSigningKey: 'signing-secret',
            },
            conditions: [
              {
                ...{ isNegated: false, type: 'GROUP', value: 'AND' },
                children: [
                  { field: 'identifier', value: 'acme', operator: 'EQUAL', on: 'payload' },
                ],
              },
            ],
          },
          {
            ...{ identifier: 'text', name: 'Twilio', providerId: 'twilio', channel: 'sms' },
            primary: true,
            credentials: {
              ...{ accountSid: 'AC-secret', token: 'twilio-token', from: '+14155550666' },
            },
          },
          {
            ...{ identifier: 'slack', name: 'Slack', providerId: 'slack', channel: 'chat' },
            active: false,
          },
          {
            ...{ identifier: 'phones', name: 'FCM', providerId: 'fcm', channel: 'push' },
            credentials: { serviceAccount: '{"key":"SG.very-secret"}' },
          },
        ],
        layouts: [
          {
            ...{ layoutId: 'plain', name: 'Plain', isDefault: true, editorType: 'html' },
            body: '<html>\r\n<body>{{content}}</body>\n\n</html>',
          },
          { layoutId: 'empty', name: 'Empty' },
        ],
        workflows: [
          {
            ...{ workflowId: 'welcome', name: 'Welcome', tags: ['a', 'b'], severity: 'high' },
            ...{ description: 'First\nmail', validatePayload: true },
            payloadSchema: { type: 'object', properties: { plan: { type: 'string' } } },
            payloadExample: { plan: 'pro' },
            steps: [
              {
                ...{ stepId: 'mail', name: 'Mail', type: 'email' },
                controlValues: {
                  ...{ subject: 'yes', body: 'Hi {{subscriber.firstName}}\n  there \n' },
                  ...{ editorType: 'html', layoutId: 'plain' },
                },
              },
              { stepId: 'inbox', type: 'in_app', controlValues: { body: '# no: comment' } },
            ],
          },
          {
            ...{ workflowId: 'quiet', name: 'Quiet' },
            preferences: {
              user: { all: { enabled: true }, channels: { sms: { enabled: false } } },
              default: { all: { enabled: true, readOnly: false } },
            },
            steps: [
              { stepId: 'sms', type: 'sms', controlValues: { body: 'x' } },
              { stepId: 'mail', type: 'email', controlValues: { subject: 'y', body: 'z' } },
            ],
          },
          {
            ...{ workflowId: 'critical', name: 'Critical' },
            preferences: { default: { all: { enabled: true, readOnly: true } } },
            steps: [
              {
                ...{ stepId: 'sms', type: 'sms', controlValues: {} },
                issues: {
                  controls: { body: [{ issueType: 'MISSING_VALUE', message: 'Body is required' }] },
                },
              },
            ],
          },
          { workflowId: 'off', name: 'Off', active: false, origin: 'external' },
        ],
        subscribers: [
          {
            ...{ subscriberId: email, firstName: 'Grace', lastName: 'Hopper' },
            ...{ email: 'grace@private.test', phone: phone, locale: 'en-US' },
            ...{ avatar: 'https://pictures.test/grace.png', timezone: 'America/New_York' },
            data: {
              plan: 'gold-plan',
              home: { city: 'Arlington', boss: 'grace.boss@navy.test', call: ['+14155550777'] },
              count: 3,
            },
            credentials: {
              phones: { deviceTokens: ['device-token-1'] },
              slack: { webhookUrl: 'https://hooks.slack.test/secret' },
            },
            preferences: {
              global: {
                channels: { email: false, sms: true },
                schedule: {
                  isEnabled: true,
                  weeklySchedule: {
                    monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] },
                    sunday: { isEnabled: false },
                  },
                },
              },
              workflows: { welcome: { channels: { email: true, in_app: false } } },
            },
          },
          {
            ...{ subscriberId: phone, firstName: 'Jean', lastName: 'Sammet', locale: null },
            ...{ email: 'jean@private.test', phone: '030-5557771' },
            preferences: { workflows: { quiet: { channels: { email: false } } } },
          },
          { subscriberId: spaced, firstName: 'Jean', lastName: 'Grace' },
          {
            ...{ subscriberId: prefixed, firstName: 'Radia', lastName: 'Perlman' },
            ...{ email: 'radia@private.test', phone: '+14155550123' },
          },
          { subscriberId: 'plain-id', firstName: '', lastName: null },
        ],
        topics: [
          { key: 'announcements', name: 'Announcements', subscribers: ['plain-id', email, phone] },
          {
            key: 'watchers:grace.hopper@navy.test',
            name: 'Watchers of grace.hopper@navy.test',
            subscribers: [spaced],
          },
          { key: '+14155550199', name: null, subscribers: [] },
        ],
        contexts: [
          { type: 'tenant', id: 'org-acme', data: { deal: 'Navy-contract' } },
          { type: 'user', id: '4915112345678' },
        ],
      },
    ],
  };
}
