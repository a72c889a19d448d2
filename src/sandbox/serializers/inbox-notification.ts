// Serializes in-app messages for inbox clients: as notifications in responses, and as stored messages on the socket.
import type { StoredMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import type { StoredSubscriber } from '../store/subscribers.ts';
import type { StoredWorkflow } from '../store/workflows.ts';
import { inAppParts, inboxDates, serializeCta } from './message-parts.ts';
import { pickProfileFields } from './subscriber.ts';

/** Only listings name the subscriber and the workflow. */
interface Related {
  subscriber?: StoredSubscriber | undefined;
  workflow?: StoredWorkflow | undefined;
}

export function serializeNotification(
  message: StoredMessage,
  { subscriber, workflow }: Related = {},
) {
  const { snoozedUntil, cta, data, avatar, subject } = message;
  return {
    id: message.id,
    transactionId: message.transactionId,
    subject,
    body: message.content,
    to: {
      id: subscriber?.id ?? '',
      ...(subscriber ? pickProfileFields(subscriber, ['firstName', 'lastName', 'avatar']) : {}),
      subscriberId: subscriber?.subscriberId ?? '',
    },
    isRead: message.read,
    isSeen: message.seen,
    isArchived: message.archived ?? false,
    isSnoozed: Boolean(snoozedUntil),
    deliveredAt: message.deliveredAt,
    ...(snoozedUntil ? { snoozedUntil } : {}),
    createdAt: message.createdAt,
    readAt: message.lastReadDate,
    firstSeenAt: message.firstSeenDate,
    archivedAt: message.archivedAt,
    avatar,
    primaryAction: serializeAction(message, 'primary'),
    secondaryAction: serializeAction(message, 'secondary'),
    channelType: message.channel,
    tags: message.tags,
    severity: message.severity ?? 'none',
    redirect: serializeRedirect(cta.data),
    data,
    workflow: workflow && serializeWorkflow(workflow),
  };
}

function serializeAction({ cta: { action } }: StoredMessage, type: 'primary' | 'secondary') {
  const button = action?.buttons?.find((candidate) => candidate.type === type);
  if (!button) return undefined;
  const isCompleted = action?.result?.type === type && action.status === 'done';
  return { label: button.content, isCompleted, redirect: serializeRedirect(button) };
}

const serializeRedirect = (link: { url?: unknown; target?: unknown } | undefined) =>
  link?.url ? { url: link.url, target: link.target } : undefined;

/** The service does not take `critical` from the preferences here. */
const serializeWorkflow = ({ id, identifier, name, tags, severity }: StoredWorkflow) => ({
  ...{ critical: false, id, identifier, name, tags, severity: severity ?? 'none' },
});

/** The message of the socket event `notification_received`. */
export const serializeReceived = (
  { environmentId, organizationId }: Scope,
  message: StoredMessage,
) => ({
  cta: serializeCta(message),
  _templateId: message.workflow,
  _environmentId: environmentId,
  _messageTemplateId: message.messageTemplateId,
  _notificationId: message.notification,
  _organizationId: organizationId,
  _subscriberId: message.subscriber,
  _jobId: message.job,
  templateIdentifier: message.templateIdentifier,
  subject: message.subject,
  ...inAppParts(message),
  channel: message.channel,
  content: message.content,
  providerId: message.providerId,
  deviceTokens: [],
  seen: message.seen,
  read: message.read,
  archived: message.archived ?? false,
  ...inboxDates(message),
  status: message.status,
  transactionId: message.transactionId,
  ...(Object.keys(message.payload).length === 0 ? {} : { payload: message.payload }),
  data: message.data,
  tags: message.tags,
  avatar: message.avatar,
  severity: message.severity ?? 'none',
  contextKeys: message.contextKeys,
  _id: message.id,
  createdAt: message.createdAt,
  updatedAt: message.updatedAt,
  __v: 0,
  id: message.id,
});
