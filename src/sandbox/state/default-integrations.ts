// The integrations of Development if a state has none of its own: one active integration for each channel, so that every
// message is captured. The credentials are fake: a sandbox sends nothing.
import type { EnvironmentState } from './schema.ts';

export const defaultIntegrations: NonNullable<EnvironmentState['integrations']> = [
  { identifier: 'in-app', name: 'In-app inbox', providerId: 'svc', channel: 'in_app' },
  {
    identifier: 'email',
    name: 'SendGrid',
    providerId: 'sendgrid',
    channel: 'email',
    credentials: { apiKey: 'sandbox-only', from: 'hello@example.com', senderName: 'Example' },
    primary: true,
  },
  {
    identifier: 'sms',
    name: 'Twilio',
    providerId: 'twilio',
    channel: 'sms',
    credentials: { accountSid: 'sandbox-only', token: 'sandbox-only', from: '+15550100' },
    primary: true,
  },
  {
    identifier: 'chat',
    name: 'Slack',
    providerId: 'slack',
    channel: 'chat',
    credentials: { applicationId: 'sandbox-only', clientId: '1.2', secretKey: 'sandbox-only' },
  },
  {
    identifier: 'push',
    name: 'Firebase Cloud Messaging',
    providerId: 'fcm',
    channel: 'push',
    credentials: { serviceAccount: '{"project_id":"sandbox-only"}' },
  },
];

/** An empty list means none. */
export const initialIntegrations = ({
  name,
  integrations,
}: Pick<EnvironmentState, 'name' | 'integrations'>) =>
  integrations ?? (name === 'Development' ? defaultIntegrations : []);
