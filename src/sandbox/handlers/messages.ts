// Sent messages of all channels.
import { limits } from '../../service/limits.ts';
import { serializeSentMessage } from '../serializers/sent-message.ts';
import { removeMessage } from '../store/messages.ts';
import type { Scope } from '../store/scope.ts';
import { type SentSearch, sentMessages } from '../store/sent-messages.ts';
import { findSubscriber, subscribersById } from '../store/subscribers.ts';
import { notFound } from '../values/http-error.ts';
import type { Handler } from './handler.ts';
import { requireObjectIdParameter } from './object-id.ts';
import { checkPageSize } from './page-size.ts';

export const listMessages: Handler<'listMessages'> = ({ query, scope }) => {
  const { channel, subscriberId, transactionId, contextKeys, page = 0 } = query;
  const limit = query.limit || 10;
  checkPageSize('Limit', limit, limits.page.messages);
  const count = Math.abs(limit);
  const messages = sentMessages(scope, {
    ...{ channel, contextKeys, transactionIds: transactionId },
    subscriber: subscriberId ? internalId(scope, subscriberId) : undefined,
    ...{ limit: count, offset: Math.max(page, 0) * count },
  });
  const subscribers = subscribersById(scope, [
    ...new Set(messages.map((message) => message.subscriber)),
  ]);
  return {
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
