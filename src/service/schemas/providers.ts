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

/** Providers for which a subscriber can have credentials (Resources, Subscriber). */
export const channelProviders = [...chatProviders, ...pushProviders] as const;

/** Providers that a job can use (Resources, Triggered event activity item). */
export const jobProviders = [
  ...addressProviders,
  ...pushProviders,
  inAppProvider,
  ...chatProviders,
] as const;

const providersWithWebhook: readonly string[] = [
  ...['mailgun', 'mailjet', 'mandrill', 'netcore', 'postmark', 'resend', 'sendgrid', 'sendinblue'],
  ...['ses', 'imedia', 'plivo', 'ring-central', 'telnyx', 'termii', 'twilio'],
];
/** Whether the service can read the delivery reports of an e-mail or SMS provider. */
export const hasWebhook = (providerId: string): boolean =>
  providersWithWebhook.includes(providerId);
