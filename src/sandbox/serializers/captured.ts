// Serializes captured messages for the sandbox's own routes: rendered content and recipient.

import type { GivenProblems } from '../../core/variable-problems.ts';
import type { Channel } from '../../service/schemas/vocabulary.ts';
import { findLinks } from '../rendering/links.ts';
import {
  messageRecipient,
  type CapturedMessage as StoredCapture,
  sentContent,
} from '../store/messages.ts';

export const serializeCapturedMessage = (message: StoredCapture) => {
  const { html: _, text: _text, ...sent } = message.sent ?? {};
  const body = sentContent(message);
  return {
    _id: message.id,
    createdAt: message.createdAt,
    channel: message.channel as Channel,
    subscriberId: message.subscriberId,
    recipient: messageRecipient(message) ?? null,
    provider: message.providerId,
    status: message.status,
    ...(message.errorText === undefined ? {} : { errorText: message.errorText }),
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
          ...{ read: message.read, seen: message.seen, archived: message.archived ?? false },
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
