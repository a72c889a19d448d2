// Sent messages of all channels.

import type { GivenProblems } from '../../core/variable-problems.ts';
import { limits } from '../../service/limits.ts';
import type { MessageCta, SentMessage } from '../../service/schemas/message.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { notFound } from '../http/http-error.ts';
import type { Dialect } from '../store/dialect.ts';
import { derivedId } from '../store/ids.ts';
import {
  countSentMessages,
  messageRecipient,
  missedAddresses,
  removeMessage,
  type SentSearch,
  type CapturedMessage as StoredCapture,
  type StoredMessage,
  sentContent,
  sentMessages,
} from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { findSubscriber, type StoredSubscriber, subscribersById } from '../store/subscribers.ts';
import { withBranding } from '../templates/layout.ts';
import { findLinks } from '../templates/links.ts';
import type { Handler } from './handler.ts';
import { checkPageSize, requireObjectIdParameter } from './parameters.ts';

export const listMessages: Handler<'listMessages'> = ({ query, scope }) => {
  const { channel, subscriberId, transactionId, contextKeys, page = 0 } = query;
  const limit = query.limit || 10;
  checkPageSize('Limit', limit, limits.page.messages);
  const count = Math.abs(limit);
  const search: SentSearch = {
    channel,
    contextKeys,
    transactionIds: transactionId,
    subscriber: subscriberId ? internalId(scope, subscriberId) : undefined,
    limit: count,
    offset: Math.max(page, 0) * count,
  };
  const messages = sentMessages(scope, search);
  const subscribers = subscribersById(scope, [
    ...new Set(messages.map((message) => message.subscriber)),
  ]);
  return {
    ...(scope.dialect.showsStepIds ? { totalCount: countSentMessages(scope, search) } : {}),
    hasMore: messages.length === limit,
    page,
    pageSize: limit,
    data: messages.map((message) =>
      serializeSentMessage(scope, message, subscribers.get(message.subscriber)),
    ),
  };
};

export const deleteMessage: Handler<'deleteMessage'> = ({ path: { messageId }, scope }) => {
  requireObjectIdParameter('messageId', messageId);
  if (!removeMessage(scope, messageId)) throw notFound(`Message with id ${messageId} not found`);
  return { acknowledged: true, status: 'deleted' };
};

/** Fails only if the transaction has no message at all. */
export const deleteTransactionMessages: Handler<'deleteTransactionMessages'> = ({
  path: { transactionId },
  query: { channel },
  scope,
}) => {
  const search: SentSearch = { transactionIds: [transactionId], limit: -1, offset: 0 };
  const messages = sentMessages(scope, search);
  if (messages.length === 0) throw notFound('Invalid transactionId or channel');
  for (const message of messages)
    if (channel === undefined || message.channel === channel) removeMessage(scope, message.id);
  return undefined;
};

function internalId(scope: Scope, subscriberId: string): string {
  const subscriber = findSubscriber(scope, subscriberId);
  if (!subscriber) throw notFound(`Subscriber '${subscriberId}' was not found`);
  return subscriber.id;
}

// Serializes sent messages of all channels.

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

function serializeSentMessage(
  { environmentId, organizationId, dialect }: Scope,
  message: StoredMessage,
  subscriber: StoredSubscriber | undefined,
): SentMessage {
  const present = optionalFields.filter((name) => message[name] !== undefined);
  const { payload, overrides, channelData } = message;
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
    ...stepIdOf(dialect, message),
    ...inAppParts(message),
    channel: message.channel,
    providerId: message.providerId,
    transactionId: message.transactionId,
    status: message.status,
    content: message.channel === 'email' ? withBranding(message.content) : message.content,
    ...inboxDates(message),
    ...Object.fromEntries(present.map((name) => [name, message[name]])),
    ...(channelData ? { channelData: channelData.map(({ error: _, ...sent }) => sent) } : {}),
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
          firstName,
          lastName,
          avatar,
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

// Serializes captured messages for the sandbox's own routes: rendered content and recipient.

export const serializeCapturedMessage = (message: StoredCapture) => {
  const { html: _, text: _text, ...sent } = message.sent ?? {};
  const body = sentContent(message);
  const missed = missedAddresses(message);
  return {
    _id: message.id,
    createdAt: message.createdAt,
    channel: message.channel as Channel,
    subscriberId: message.subscriberId,
    recipient: messageRecipient(message) ?? null,
    provider: message.providerId,
    status: message.status,
    ...(message.errorText === undefined ? {} : { errorText: message.errorText }),
    ...(missed === undefined ? {} : { missedAddresses: missed }),
    ...sent,
    ...shownSubject(message),
    ...(message.title === undefined ? {} : { title: message.title }),
    body,
    links: [...findLinks(body, message.channel === 'email'), ...(message.links ?? [])],
    ...variableProblems(message),
    ...(message.deviceTokens === undefined ? {} : { deviceTokens: message.deviceTokens }),
    ...(message.channel === 'in_app'
      ? {
          cta: message.cta,
          read: message.read,
          seen: message.seen,
          archived: message.archived ?? false,
          ...(message.snoozedUntil ? { snoozedUntil: message.snoozedUntil } : {}),
        }
      : {}),
    workflow: message.templateIdentifier,
    transactionId: message.transactionId,
    payload: message.payload,
    overrides: message.overrides,
  };
};

/** The same with the content as plain text. Takes longer for an e-mail, whose HTML is converted. */
export async function serializeWithText(message: StoredCapture) {
  const { channel, sent } = message;
  const content = sentContent(message);
  const text =
    sent?.text ?? (channel === 'email' ? (await loadHtmlText()).plainText(content) : content);
  return { ...serializeCapturedMessage(message), text };
}

const loadHtmlText = () => import('../../core/html-text.ts');

function shownSubject({ subject, sentSubject = subject }: StoredCapture): { subject?: string } {
  return sentSubject === undefined ? {} : { subject: sentSubject };
}

/** Only the lists that are not empty. */
function variableProblems({ problems }: StoredCapture): GivenProblems {
  const { missingVariables = [], objectVariables = [] } = problems ?? {};
  return {
    ...(missingVariables.length === 0 ? {} : { missingVariables }),
    ...(objectVariables.length === 0 ? {} : { objectVariables }),
  };
}

// The parts of a message that depend on its channel.

/** The action of an in-app message. Other messages have an empty one. */
export function serializeCta({ id, cta }: StoredMessage): MessageCta {
  const { type, data, action } = cta;
  const buttons = (action?.buttons ?? []).map((button, index) => {
    const buttonId = derivedId(`${id}:${index}`);
    return { ...button, _id: buttonId, id: buttonId };
  });
  return {
    action: { ...action, buttons },
    ...(type === undefined ? {} : { type }),
    ...(data === undefined ? {} : { data }),
  };
}

const dateNames = [
  'lastSeenDate',
  'lastReadDate',
  'firstSeenDate',
  'archivedAt',
  'snoozedUntil',
] as const;

/** The dates that marks and the inbox have set. */
export const inboxDates = (message: StoredMessage) =>
  Object.fromEntries(
    dateNames.flatMap((name) => (message[name] === undefined ? [] : [[name, message[name]]])),
  );

export const stepIdOf = ({ showsStepIds }: Dialect, { stepId }: StoredMessage) =>
  showsStepIds && stepId !== undefined ? { stepId } : {};

/** In-app messages alone have a feed and are delivered when they are created. */
export const inAppParts = ({ channel, deliveredAt }: StoredMessage) =>
  channel === 'in_app' ? { _feedId: null, deliveredAt } : {};
