// The credentials that each provider requires. A provider that is not listed requires none.
import { laterProviders } from './schemas/providers.ts';

const requiredCredentials: Record<string, readonly string[] | undefined> = {
  sendgrid: ['apiKey', 'from', 'senderName'],
  mailgun: ['apiKey', 'domain', 'user', 'from', 'senderName'],
  mailjet: ['apiKey', 'secretKey', 'from', 'senderName'],
  mailersend: ['apiKey', 'from', 'senderName'],
  mailtrap: ['apiKey', 'from', 'senderName'],
  mandrill: ['apiKey', 'from', 'senderName'],
  nodemailer: ['host', 'port', 'from', 'senderName'],
  postmark: ['apiKey', 'from', 'senderName'],
  resend: ['apiKey', 'from', 'senderName'],
  sendinblue: ['apiKey', 'from', 'senderName'],
  ses: ['apiKey', 'secretKey', 'region', 'from', 'senderName'],
  sparkpost: ['apiKey', 'from', 'senderName'],
  'email-webhook': ['webhookUrl', 'from', 'senderName'],
  twilio: ['accountSid', 'token', 'from'],
  nexmo: ['apiKey', 'secretKey', 'from'],
  plivo: ['accountSid', 'token', 'from'],
  messagebird: ['accessKey', 'from'],
  sns: ['apiKey', 'secretKey', 'region'],
  telnyx: ['apiKey', 'messageProfileId', 'from'],
  slack: ['applicationId', 'clientId', 'secretKey'],
  fcm: ['serviceAccount'],
  apns: ['secretKey', 'apiKey', 'projectName'],
  'one-signal': ['applicationId', 'apiKey'],
  pushpad: ['apiKey', 'applicationId'],
  'pusher-beams': ['instanceId', 'secretKey'],
};

/** Returns the required credentials that are missing or empty. */
export const missingCredentials = (
  providerId: string,
  credentials: Record<string, unknown>,
): string[] => requiredNames(providerId).filter((name) => !credentials[name]);

const requiredNames = (providerId: string): readonly string[] =>
  requiredCredentials[providerId] ?? laterProviders[providerId]?.credentials ?? [];

/** Whether a listing shows credentials: a server from 3.17 on shows none of any integration. */
export const showsCredentials = (
  integrations: readonly { credentials?: object | undefined }[],
): boolean => integrations.some(({ credentials = {} }) => Object.keys(credentials).length > 0);
