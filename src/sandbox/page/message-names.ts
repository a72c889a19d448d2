// Names in the lists and details of messages.
import { listIntegrations } from '../store/integrations.ts';
import { messageRecipient, type StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { mrkdwnText } from './content.tsx';
import { excerpt } from './format.ts';

const channelTitles: Record<string, string> = {
  email: 'E-mail',
  in_app: 'In-app',
  sms: 'SMS',
  push: 'Push',
  chat: 'Chat',
};

/** The name of a type of steps: `E-mail`, `Digest`. */
export const stepTitle = (type: string): string =>
  Object.hasOwn(channelTitles, type)
    ? channelTitle(type)
    : `${type.slice(0, 1).toUpperCase()}${type.slice(1)}`;

export const channels = Object.keys(channelTitles);

export const channelTitle = (channel: string): string =>
  (Object.hasOwn(channelTitles, channel) ? channelTitles[channel] : undefined) ?? channel;

/** The subject, else the beginning of the content. */
export function messageTitle(message: StoredMessage): string {
  const { subject, sentSubject, title, channel } = message;
  const heading = sentSubject || subject || title;
  if (heading) return heading;
  if (channel === 'email') return '(no subject)';
  return storedExcerpt(message) || '(no content)';
}

/** The beginning of the content as one line of text. */
export const storedExcerpt = ({ channel, content }: StoredMessage): string =>
  excerpt(channel === 'chat' ? mrkdwnText(content) : content, channel === 'email');

/** The address that the message went to; undefined if the subscriber has none. */
export const recipientName = (
  message: StoredMessage & { subscriberId?: string | undefined },
): string | undefined =>
  messageRecipient(message) ?? (message.channel === 'in_app' ? 'deleted subscriber' : undefined);

const maxToken = 16;

/** The device of a push message to one device, which distinguishes messages to several devices. */
export function deviceName({ channel, deviceTokens }: StoredMessage): string | undefined {
  const [token, ...others] = deviceTokens ?? [];
  if (channel !== 'push' || token === undefined || others.length > 0) return undefined;
  return token.length > maxToken ? `${token.slice(0, 6)}…${token.slice(-6)}` : token;
}

/** The sender of the integration, unless the event replaces it. */
export function findSender(
  scope: Scope,
  { channel, providerId, sent = {} }: StoredMessage,
): { name: string; address: string } {
  const integration = listIntegrations(scope).find(
    (integration) => integration.channel === channel && integration.providerId === providerId,
  );
  // Messages of earlier versions do not have their sender.
  const { from, senderName } = {
    ...((integration?.credentials ?? {}) as Record<string, unknown>),
    ...sent,
  };
  const address = typeof from === 'string' ? from : undefined;
  const name = typeof senderName === 'string' ? senderName : undefined;
  const sender = name ?? integration?.name ?? providerId;
  if (channel === 'sms') return { name: address ?? sender, address: address ?? sender };
  return { name: sender, address: name && address ? `${name} <${address}>` : (address ?? sender) };
}

interface Person {
  subscriberId: string;
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
}

/** The name of a subscriber, else the id. */
export const personName = ({ subscriberId, firstName, lastName }: Person): string =>
  [firstName, lastName].filter(Boolean).join(' ') || subscriberId;
