// Serializes in-app messages: for the inbox listing, and for the response to a state change.
import type { FeedItem } from '../../service/schemas/inbox.ts';
import type { Message } from '../../service/schemas/message.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import { inAppParts, inboxDates, serializeCta } from './message-parts.ts';
import { pickProfileFields } from './subscriber.ts';

const sharedFields = ({ environmentId, organizationId }: Scope, message: StoredMessage) => ({
  _id: message.id,
  _templateId: message.workflow,
  _environmentId: environmentId,
  _messageTemplateId: message.messageTemplateId,
  _organizationId: organizationId,
  _notificationId: message.notification,
  _subscriberId: message.subscriber,
  ...inAppParts(message),
  createdAt: message.createdAt,
  transactionId: message.transactionId,
  templateIdentifier: message.templateIdentifier,
  providerId: message.providerId,
  content: message.content,
  ...(message.subject === undefined ? {} : { subject: message.subject }),
  channel: message.channel,
  read: message.read,
  seen: message.seen,
  cta: serializeCta(message),
  status: message.status,
});

const otherFields = (message: StoredMessage) => ({
  deviceTokens: [],
  ...inboxDates(message),
});

export function serializeFeedItem(
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): FeedItem {
  const { avatar, data, payload } = message;
  return {
    ...sharedFields(scope, message),
    _jobId: message.job,
    updatedAt: message.updatedAt,
    tags: message.tags,
    subscriber: {
      _id: subscriber.id,
      ...pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']),
      subscriberId: subscriber.subscriberId,
      id: subscriber.id,
    },
    ...feedFields(message),
    ...payloadFields(payload),
    ...(avatar === undefined ? {} : avatarFields(scope, avatar)),
    ...(data === undefined ? {} : { data }),
  };
}

/** In the specification, the avatar belongs to an actor. */
const avatarFields = ({ dialect }: Scope, avatar: string) =>
  dialect.hasRequiredMembers
    ? { avatar, actor: { type: 'system_custom' as const, data: avatar } }
    : { avatar };

const feedFields = (message: StoredMessage) => ({
  ...otherFields(message),
  archived: message.archived ?? false,
  severity: message.severity ?? 'none',
  contextKeys: message.contextKeys,
  __v: 0,
  id: message.id,
  template: { _id: message.workflow, tags: message.tags, id: message.workflow },
  actorSubscriber: null,
});

/** The service leaves out an empty payload. */
const payloadFields = (payload: Record<string, unknown>) =>
  Object.keys(payload).length === 0 ? {} : { payload };

/** The service sends neither the subscriber nor the overrides. */
export const serializeMessage = (scope: Scope, message: StoredMessage): Message =>
  ({
    ...sharedFields(scope, message),
    ...payloadFields(message.payload),
    ...otherFields(message),
  }) as Message;
