// The delivery providers, grouped by the address that they deliver to.
// This module does not load the schema library.

/** Providers that send to an email address or a phone number. */
const addressProviders = [
  'emailjs',
  'mailgun',
  'mailjet',
  'mandrill',
  'nodemailer',
  'postmark',
  'sendgrid',
  'sendinblue',
  'ses',
  'netcore',
  'infobip-email',
  'resend',
  'plunk',
  'mailersend',
  'mailtrap',
  'clickatell',
  'outlook365',
  'svc-email',
  'sparkpost',
  'email-webhook',
  'braze',
  'nexmo',
  'plivo',
  'sms77',
  'sms-central',
  'sns',
  'telnyx',
  'twilio',
  'gupshup',
  'firetext',
  'infobip-sms',
  'burst-sms',
  'bulk-sms',
  'isend-sms',
  'forty-six-elks',
  'kannel',
  'maqsam',
  'termii',
  'africas-talking',
  'svc-sms',
  'sendchamp',
  'generic-sms',
  'clicksend',
  'bandwidth',
  'messagebird',
  'simpletexting',
  'azure-sms',
  'ring-central',
  'brevo-sms',
  'eazy-sms',
  'mobishastra',
  'afro-message',
  'unifonic',
  'smsmode',
  'imedia',
  'sinch',
  'isendpro-sms',
] as const;

/** Providers that push to device tokens. */
export const pushProviders = [
  'fcm',
  'apns',
  'expo',
  'one-signal',
  'pushpad',
  'push-webhook',
  'pusher-beams',
  'appio',
] as const;

/** Chat providers. */
export const chatProviders = [
  'slack',
  'discord',
  'msteams',
  'mattermost',
  'ryver',
  'zulip',
  'grafana-on-call',
  'getstream',
  'rocket-chat',
  'whatsapp-business',
  'chat-webhook',
  'svc-slack',
] as const;

/** The provider of in-app notifications: the service itself. */
export const inAppProvider = 'svc';

interface LaterProvider {
  since: string;
  /** Absent for an agent, which is not a channel. */
  channel?: 'email' | 'sms' | 'chat' | 'tool';
  name: string;
  /** The credentials that it requires. */
  credentials: readonly string[];
}

/** Providers of newer servers. The sandbox does not have them. */
export const laterProviders: Record<string, LaterProvider | undefined> = {
  'cm-telecom': {
    ...{ since: '3.15', channel: 'sms', name: 'CM Telecom' },
    credentials: ['apiToken', 'from'],
  },
  telegram: { since: '3.17', channel: 'chat', name: 'Telegram', credentials: ['apiToken'] },
  'svc-email-agent': { since: '3.17', channel: 'email', name: 'Svc Email Agent', credentials: [] },
  anthropic: { since: '3.17', name: 'Anthropic', credentials: [] },
  'svc-anthropic': { since: '3.17', name: 'Svc Anthropic', credentials: [] },
  'anthropic-aws': { since: '3.17', name: 'Anthropic on AWS', credentials: [] },
  anypost: {
    ...{ since: '3.18.1', channel: 'email', name: 'AnyPost' },
    credentials: ['apiKey', 'from', 'senderName'],
  },
  'webex-messaging': {
    ...{ since: '3.18.1', channel: 'chat', name: 'Webex Messaging' },
    credentials: ['clientId', 'secretKey'],
  },
  line: { since: '3.18.1', channel: 'chat', name: 'LINE', credentials: ['apiToken'] },
  sendblue: {
    ...{ since: '3.18.1', channel: 'chat', name: 'Sendblue' },
    credentials: ['apiKey', 'secretKey', 'from'],
  },
  'ruach-sms': {
    ...{ since: '3.19', channel: 'sms', name: 'Ruach SMS' },
    credentials: ['apiKey', 'clientId', 'from'],
  },
  'svc-web-chat': { since: '3.19', channel: 'chat', name: 'Svc Web Chat', credentials: [] },
  pagerduty: { since: '3.19', channel: 'tool', name: 'PagerDuty', credentials: [] },
  opsgenie: { since: '3.19', channel: 'tool', name: 'Opsgenie', credentials: [] },
  grafana: { since: '3.19', channel: 'tool', name: 'Grafana', credentials: [] },
  'tool-webhook': { since: '3.19', channel: 'tool', name: 'Tool Webhook', credentials: [] },
};

/** Providers for which a subscriber can have credentials (Resources, Subscriber). */
export const channelProviders = [...chatProviders, ...pushProviders] as const;

const laterChat = Object.keys(laterProviders).filter(
  (id) => laterProviders[id]?.channel === 'chat',
);
/** The same of all versions. */
export const allChannelProviders: readonly string[] = [...channelProviders, ...laterChat];

/** Providers that a job can use (Resources, Triggered event activity item). */
export const jobProviders = [
  ...addressProviders,
  ...pushProviders,
  inAppProvider,
  ...chatProviders,
] as const;

/** The providers of all versions. */
export const allProviders: readonly string[] = [...jobProviders, ...Object.keys(laterProviders)];

const providersWithWebhook: readonly string[] = [
  ...['mailgun', 'mailjet', 'mandrill', 'netcore', 'postmark', 'resend', 'sendgrid', 'sendinblue'],
  ...['ses', 'imedia', 'plivo', 'ring-central', 'telnyx', 'termii', 'twilio'],
];
/** Whether the service can read the delivery reports of an e-mail or SMS provider. */
export const hasWebhook = (providerId: string): boolean =>
  providersWithWebhook.includes(providerId);
