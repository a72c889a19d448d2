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
});

const dates = ({ deliveredAt, lastSeenDate, lastReadDate }: StoredMessage) => ({
  deliveredAt,
  ...(lastSeenDate === undefined ? {} : { lastSeenDate }),
  ...(lastReadDate === undefined ? {} : { lastReadDate }),
});

/** Members that the service adds to those of the specification. */
const serviceFields = (message: StoredMessage) => ({
  cta: {
    ...message.cta,
    type: 'redirect' as const,
    action: message.cta.action ?? { buttons: [] },
  },
  deviceTokens: [],
  ...dates(message),
});

export function serializeFeedItem(
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): FeedItem {
  const { avatar, data, payload, overrides } = message;
  return {
    ...sharedFields(scope, message),
    _jobId: message.job,
    updatedAt: message.updatedAt,
    tags: message.tags,
    subscriber: {
      _id: subscriber.id,
      ...pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']),
      subscriberId: subscriber.subscriberId,
      ...(scope.compat ? { id: subscriber.id } : {}),
    },
    ...(scope.compat ? serviceFeedFields(message) : {}),
    ...payloadFields(scope, payload),
    ...actorFields(scope, avatar),
    ...(scope.compat && data === undefined ? {} : { data: data ?? null }),
    ...(scope.compat ? {} : { overrides }),
  };
}

const serviceFeedFields = (message: StoredMessage) => ({
  ...serviceFields(message),
  archived: false,
  severity: message.severity ?? 'none',
  contextKeys: message.contextKeys,
  __v: 0,
  id: message.id,
  template: { _id: message.workflow, tags: message.tags, id: message.workflow },
  actorSubscriber: null,
});

/** The service leaves out an empty payload. */
const payloadFields = ({ compat }: Scope, payload: Record<string, unknown>) =>
  compat && Object.keys(payload).length === 0 ? {} : { payload };

/** The service leaves out the actor of a message without an avatar. */
function actorFields({ compat }: Scope, avatar: string | undefined) {
  if (avatar !== undefined) return { actor: { type: 'system_custom' as const, data: avatar } };
  return compat ? {} : { actor: { type: 'none' as const, data: null } };
}

export function serializeMessage(
  scope: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber,
): Message {
  const { payload, overrides, contextKeys } = message;
  const fields = { ...sharedFields(scope, message), ...payloadFields(scope, payload) };
  // The service sends neither subscriber nor overrides, which the specification has.
  if (scope.compat) return { ...fields, ...serviceFields(message) } as Message;
  return {
    ...fields,
    ...dates(message),
    overrides,
    subscriber: serializeSubscriber(scope, subscriber),
    contextKeys,
  };
}
