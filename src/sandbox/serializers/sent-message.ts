// Serializes sent messages of all channels.
import type { SentMessage } from '../../service/schemas/sent-messages.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';

const addressFields = [
  'email',
  'phone',
  'directWebhookUrl',
  'title',
  'errorId',
  'errorText',
  'lastSeenDate',
  'lastReadDate',
  'subject',
] as const;

export function serializeSentMessage(
  { environmentId, organizationId }: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber | undefined,
): SentMessage {
  const given = addressFields.filter((name) => message[name] !== undefined);
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
    _feedId: null,
    channel: message.channel,
    providerId: message.providerId,
    transactionId: message.transactionId,
    status: message.status,
    content: message.content,
    ...Object.fromEntries(given.map((name) => [name, message[name]])),
    ...(Object.keys(payload).length === 0 ? {} : { payload }),
    ...(Object.keys(overrides).length === 0 ? {} : { overrides }),
    ...(message.data === undefined ? {} : { data: message.data }),
    ...(message.avatar === undefined
      ? {}
      : { actor: { type: 'system_custom', data: message.avatar } }),
    cta: {
      ...message.cta,
      type: 'redirect',
      action: message.cta.action ?? { buttons: [] },
    },
    deviceTokens: message.deviceTokens ?? [],
    seen: message.seen,
    read: message.read,
    archived: false,
    deliveredAt: message.deliveredAt,
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
