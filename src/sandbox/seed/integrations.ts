// Seeded integrations: one for each channel, and a second one for email that is inactive. The credentials are fake.
import type { StoredIntegration } from '../store/integrations.ts';

export type SeedIntegration = Omit<
  StoredIntegration,
  'id' | 'createdAt' | 'updatedAt' | 'environmentId' | 'configurations' | 'conditions'
>;

export const seedIntegrations: readonly SeedIntegration[] = [
  {
    identifier: 'in-app',
    name: 'In-app inbox',
    providerId: 'svc',
    channel: 'in_app',
    credentials: { hmac: false },
    active: true,
    primary: false,
  },
  {
    identifier: 'sendgrid-email',
    name: 'SendGrid',
    providerId: 'sendgrid',
    channel: 'email',
    credentials: {
      apiKey: 'SG.sandbox-only',
      from: 'hello@example.com',
      senderName: 'Example',
    },
    active: true,
    primary: true,
  },
  {
    identifier: 'nodemailer-email',
    name: 'Custom mail server',
    providerId: 'nodemailer',
    channel: 'email',
    credentials: {
      host: 'smtp.example.com',
      port: '587',
      user: 'mailer',
      password: 'sandbox-only',
      from: 'hello@example.com',
      senderName: 'Example',
    },
    active: false,
    primary: false,
  },
  {
    identifier: 'twilio-sms',
    name: 'Twilio',
    providerId: 'twilio',
    channel: 'sms',
    credentials: { accountSid: 'AC-sandbox-only', token: 'sandbox-only', from: '+15550100' },
    active: true,
    primary: true,
  },
  {
    identifier: 'slack-chat',
    name: 'Slack',
    providerId: 'slack',
    channel: 'chat',
    credentials: { applicationId: 'A0SANDBOX', clientId: '1.2', secretKey: 'sandbox-only' },
    active: true,
    primary: false,
  },
  {
    identifier: 'fcm-push',
    name: 'Firebase Cloud Messaging',
    providerId: 'fcm',
    channel: 'push',
    credentials: { serviceAccount: '{"project_id":"sandbox-only"}' },
    active: true,
    primary: false,
  },
];
