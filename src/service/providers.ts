// The delivery providers, grouped by the address that they deliver to.
// This module does not load the schema library.
import { keysOf } from '../core/objects.ts';

// Each provider with its name as people read it: in execution details and default names of integrations.

/** To an email address or a phone number. */
const addressNames = {
  emailjs: 'emailjs',
  mailgun: 'Mailgun',
  mailjet: 'Mailjet',
  mandrill: 'Mandrill',
  nodemailer: 'Custom SMTP',
  postmark: 'Postmark',
  sendgrid: 'SendGrid',
  sendinblue: 'Brevo (formerly Sendinblue)',
  ses: 'SES',
  netcore: 'Netcore',
  'infobip-email': 'Infobip',
  resend: 'Resend',
  plunk: 'Plunk',
  mailersend: 'MailerSend',
  mailtrap: 'Mailtrap',
  clickatell: 'clickatell',
  outlook365: 'Microsoft Outlook365',
  'svc-email': 'Svc Email',
  sparkpost: 'SparkPost',
  'email-webhook': 'Email Webhook',
  braze: 'Braze',
  nexmo: 'Nexmo',
  plivo: 'Plivo',
  sms77: 'sms77',
  'sms-central': 'SMS Central',
  sns: 'SNS',
  telnyx: 'Telnyx',
  twilio: 'Twilio',
  gupshup: 'Gupshup',
  firetext: 'Firetext',
  'infobip-sms': 'Infobip',
  'burst-sms': 'Kudosity (formerly BurstSMS)',
  'bulk-sms': 'BulkSMS',
  'isend-sms': 'iSend SMS',
  'forty-six-elks': '46elks',
  kannel: 'Kannel SMS',
  maqsam: 'Maqsam',
  termii: 'Termii',
  'africas-talking': "Africa's Talking",
  'svc-sms': 'Svc SMS',
  sendchamp: 'Sendchamp',
  'generic-sms': 'SMS Webhook',
  clicksend: 'Clicksend',
  bandwidth: 'Bandwidth',
  messagebird: 'MessageBird',
  simpletexting: 'SimpleTexting',
  'azure-sms': 'Azure Sms',
  'ring-central': 'RingCentral',
  'brevo-sms': 'Brevo',
  'eazy-sms': 'Eazy',
  mobishastra: 'Mobishastra',
  'afro-message': 'Afro Message',
  unifonic: 'Unifonic',
  smsmode: 'smsmode',
  imedia: 'iMedia',
  sinch: 'Sinch',
  'isendpro-sms': 'iSendPro',
};

/** To device tokens. */
const pushNames = {
  fcm: 'Firebase Cloud Messaging',
  apns: 'APNs',
  expo: 'Expo Push',
  'one-signal': 'OneSignal',
  pushpad: 'Pushpad',
  'push-webhook': 'Push Webhook',
  'pusher-beams': 'Pusher Beams',
  appio: 'AppIO',
};

export const pushProviders = keysOf(pushNames);

const chatNames = {
  slack: 'Slack',
  discord: 'Discord',
  msteams: 'MSTeams',
  mattermost: 'Mattermost',
  ryver: 'Ryver',
  zulip: 'Zulip',
  'grafana-on-call': 'Grafana On Call Webhook',
  getstream: 'GetStream',
  'rocket-chat': 'Rocket.Chat',
  'whatsapp-business': 'WhatsApp Business',
  'chat-webhook': 'Chat Webhook',
  'svc-slack': 'Svc Slack',
};

const chatProviders = keysOf(chatNames);

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
const laterProviders: Record<string, LaterProvider | undefined> = {
  'cm-telecom': {
    since: '3.15',
    channel: 'sms',
    name: 'CM Telecom',
    credentials: ['apiToken', 'from'],
  },
  telegram: { since: '3.17', channel: 'chat', name: 'Telegram', credentials: ['apiToken'] },
  'svc-email-agent': { since: '3.17', channel: 'email', name: 'Svc Email Agent', credentials: [] },
  anthropic: { since: '3.17', name: 'Anthropic', credentials: [] },
  'svc-anthropic': { since: '3.17', name: 'Svc Anthropic', credentials: [] },
  'anthropic-aws': { since: '3.17', name: 'Anthropic on AWS', credentials: [] },
  anypost: {
    since: '3.18.1',
    channel: 'email',
    name: 'AnyPost',
    credentials: ['apiKey', 'from', 'senderName'],
  },
  'webex-messaging': {
    since: '3.18.1',
    channel: 'chat',
    name: 'Webex Messaging',
    credentials: ['clientId', 'secretKey'],
  },
  line: { since: '3.18.1', channel: 'chat', name: 'LINE', credentials: ['apiToken'] },
  sendblue: {
    since: '3.18.1',
    channel: 'chat',
    name: 'Sendblue',
    credentials: ['apiKey', 'secretKey', 'from'],
  },
  'ruach-sms': {
    since: '3.19',
    channel: 'sms',
    name: 'Ruach SMS',
    credentials: ['apiKey', 'clientId', 'from'],
  },
  'svc-web-chat': { since: '3.19', channel: 'chat', name: 'Svc Web Chat', credentials: [] },
  pagerduty: { since: '3.19', channel: 'tool', name: 'PagerDuty', credentials: [] },
  opsgenie: { since: '3.19', channel: 'tool', name: 'Opsgenie', credentials: [] },
  grafana: { since: '3.19', channel: 'tool', name: 'Grafana', credentials: [] },
  'tool-webhook': { since: '3.19', channel: 'tool', name: 'Tool Webhook', credentials: [] },
};

interface ToolEndpoint {
  providerId: string;
  /** In the texts of the service. */
  name: string;
  /** A subscriber can have several in an integration. */
  isRepeatable?: boolean;
}

/** The types of channel endpoints of tools. They contain their secret themselves, without a connection. */
export const toolEndpoints: Record<string, ToolEndpoint | undefined> = {
  pagerduty_service: { providerId: 'pagerduty', name: 'PagerDuty' },
  opsgenie_integration: { providerId: 'opsgenie', name: 'Opsgenie' },
  grafana_oncall_integration: { providerId: 'grafana', name: 'Grafana' },
  tool_webhook: { providerId: 'tool-webhook', name: 'Tool webhook', isRepeatable: true },
};

/** The types of channel endpoints of a person, who has one in an integration. */
export const personEndpoints: readonly string[] = ['slack_user', 'ms_teams_user'];

/** The regions of Sinch. */
export const sinchRegions: readonly string[] = ['eu', 'us', 'au', 'br', 'ca'];

/** Whether a tool sends to the endpoints of the subscriber, and not to one address in its credentials. */
export const sendsToEndpoints = (
  providerId: string,
  { routingMode }: { routingMode?: unknown },
): boolean => providerId !== 'tool-webhook' || routingMode === 'dynamic';

/** Providers for which a subscriber can have credentials (Resources, Subscriber). */
export const channelProviders = [...chatProviders, ...pushProviders] as const;

const laterChat = Object.keys(laterProviders).filter(
  (id) => laterProviders[id]?.channel === 'chat',
);
/** The same of all versions. */
export const allChannelProviders: readonly string[] = [...channelProviders, ...laterChat];

/** Providers that a job can use (Resources, Triggered event activity item). */
export const jobProviders = [
  ...keysOf(addressNames),
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

// The credentials that each provider requires. A provider that is not listed requires none.

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

/** The credentials that newer servers require, which show none of those that they store. */
const unseenCredentials: Record<string, readonly string[] | undefined> = {
  slack: ['applicationId', 'clientId', 'secretKey', 'signingSecret'],
  'whatsapp-business': ['apiToken', 'phoneNumberIdentification', 'businessAccountId', 'secretKey'],
};

/**
 * The same for a server that shows no credentials. It may have stored all of these, and a write without one would erase
 * it.
 */
export const missingUnseenCredentials = (
  providerId: string,
  credentials: Record<string, unknown>,
): string[] =>
  (unseenCredentials[providerId] ?? requiredNames(providerId)).filter((name) => !credentials[name]);

const requiredNames = (providerId: string): readonly string[] =>
  requiredCredentials[providerId] ?? laterProviders[providerId]?.credentials ?? [];

/** Whether a listing shows credentials: a server from 3.17 on shows none of any integration. */
export const showsCredentials = (
  integrations: readonly { credentials?: object | undefined }[],
): boolean => integrations.some(({ credentials = {} }) => Object.keys(credentials).length > 0);

const names: Record<string, string | undefined> = {
  ...addressNames,
  ...pushNames,
  ...chatNames,
  [inAppProvider]: 'Svc Inbox',
};

/** A provider without a name of its own is called by its id. */
export const providerName = (providerId: string): string =>
  names[providerId] ?? laterProviders[providerId]?.name ?? providerId;

// Ids of the service's own providers: `svc-email` in the specification and in state files, `novu-email` in requests and
// responses of the service.

export const toServiceId = (id: string): string => id.replace(/^svc(?=$|-)/, 'novu');
/** Whether the service creates the integrations of this provider itself: requests cannot. */
export const isOwnProvider = (id: string): boolean =>
  /^novu-(email|sms|slack)$/.test(toServiceId(id));
export const fromServiceId = (id: string): string => id.replace(/^novu(?=$|-)/, 'svc');
