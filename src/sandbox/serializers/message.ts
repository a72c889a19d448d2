// Serializes in-app messages: for the inbox listing, and for the response to a state change.
import type { FeedItem } from '../../api/schemas/inbox.ts';
import type { Message } from '../../api/schemas/message.ts';
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import { pickProfileFields, serializeSubscriber } from './subscriber.ts';

const sharedFields = ({ environmentId, organizationId }: Scope, message: StoredMessage) => ({
  _id: message.id,
  _templateId: message.workflow,
  _environmentId: environmentId,
  _messageTemplateId: message.messageTemplateId,
  _organizationId: organizationId,
  _notificationId: message.notification,
  _subscriberId: message.subscriber,
  _feedId: null,
  createdAt: message.createdAt,
  transactionId: message.transactionId,
  templateIdentifier: message.templateIdentifier,
  providerId: message.providerId,
  content: message.content,
  ...(message.subject === undefined ? {} : { subject: message.subject }),
  channel: message.channel,
  read: message.read,
  seen: message.seen,
  cta: message.cta,
  status: message.status,
  payload: message.payload,
  overrides: message.overrides,
});

export const serializeFeedItem = (
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): FeedItem => ({
  ...sharedFields(scope, message),
  _jobId: message.job,
  updatedAt: message.updatedAt,
  actor:
    message.avatar === undefined
      ? { type: 'none', data: null }
      : { type: 'system_custom', data: message.avatar },
  subscriber: {
    _id: subscriber.id,
    ...pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']),
    subscriberId: subscriber.subscriberId,
  },
  data: message.data ?? null,
  tags: message.tags,
});

export const serializeMessage = (
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): Message => ({
  ...sharedFields(scope, message),
  subscriber: serializeSubscriber(scope, subscriber),
  deliveredAt: message.deliveredAt,
  ...(message.lastSeenDate === undefined ? {} : { lastSeenDate: message.lastSeenDate }),
  ...(message.lastReadDate === undefined ? {} : { lastReadDate: message.lastReadDate }),
  contextKeys: message.contextKeys,
});
