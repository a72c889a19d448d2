// Serializes sent messages of all channels.
import type { SentMessage } from '../../service/schemas/sent-messages.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import { withBranding } from './branding.ts';
import { inAppParts, inboxDates, serializeCta } from './message-parts.ts';

const optionalFields = [
  'email',
  'phone',
  'directWebhookUrl',
  'title',
  'errorId',
  'errorText',
  'subject',
  'identifier',
  'avatar',
] as const;

export function serializeSentMessage(
  { environmentId, organizationId }: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber | undefined,
): SentMessage {
  const given = optionalFields.filter((name) => message[name] !== undefined);
  const { payload, overrides } = message;
  const { firstName, lastName, avatar } = subscriber?.profile ?? {};
  return {
    _id: message.id,
    id: message.id,
    _templateId: message.workflow,
    templateIdentifier: message.templateIdentifier,
    _environmentId: environmentId,
    _organizationId: organizationId,
    _messageTemplateId: message.messageTemplateId,
    _notificationId: message.notification,
    _subscriberId: message.subscriber,
    _jobId: message.job,
    ...inAppParts(message),
    channel: message.channel,
    providerId: message.providerId,
    transactionId: message.transactionId,
    status: message.status,
    content: message.channel === 'email' ? withBranding(message.content) : message.content,
    ...inboxDates(message),
    ...Object.fromEntries(given.map((name) => [name, message[name]])),
    ...(Object.keys(payload).length === 0 ? {} : { payload }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
    ...(message.data === undefined ? {} : { data: message.data }),
    cta: serializeCta(message),
    deviceTokens: message.deviceTokens ?? [],
    seen: message.seen,
    read: message.read,
    archived: message.archived ?? false,
    tags: message.tags,
    severity: message.severity ?? 'none',
    contextKeys: message.contextKeys,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
    __v: 0,
    subscriber: subscriber
      ? {
          _id: subscriber.id,
          ...{ firstName, lastName, avatar },
          subscriberId: subscriber.subscriberId,
          createdAt: subscriber.createdAt,
          updatedAt: subscriber.updatedAt,
          _organizationId: organizationId,
          _environmentId: environmentId,
          deleted: false,
          id: subscriber.id,
        }
      : null,
    actorSubscriber: null,
  };
}
