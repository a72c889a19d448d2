// Messages, as returned when they are marked (specification: Resources, Message).
import { z } from 'zod';
import { messageWorkflow } from './message-workflow.ts';
import { openEnum } from './open-enum.ts';
import { subscriber } from './subscribers.ts';
import { jsonObject, textOrNull } from './values.ts';
import {
  buttonTypes,
  channelTypes,
  ctaStatuses,
  ctaTypes,
  emailBlockTypes,
  messageStatuses,
  textAlignments,
} from './vocabulary.ts';

const text = z.string().optional();

const ctaAction = z.looseObject({
  status: openEnum(ctaStatuses).optional(),
  buttons: z
    .array(
      z.looseObject({
        type: openEnum(buttonTypes),
        content: z.string(),
        resultContent: text,
        url: text,
        target: text,
      }),
    )
    .optional(),
  result: z
    .looseObject({ payload: jsonObject.optional(), type: openEnum(buttonTypes).optional() })
    .optional(),
});

/** The call to action of a notification. */
export const messageCta = z.looseObject({
  type: openEnum(ctaTypes).optional(),
  data: z.looseObject({ url: text }).optional(),
  action: ctaAction.optional(),
});

const emailBlock = z.looseObject({
  type: openEnum(emailBlockTypes),
  content: z.string(),
  url: text,
  styles: z.looseObject({ textAlign: openEnum(textAlignments).optional() }).optional(),
});

export const message = z.looseObject({
  _id: text,
  _templateId: textOrNull,
  _environmentId: z.string(),
  _messageTemplateId: textOrNull,
  _organizationId: z.string(),
  _notificationId: z.string(),
  _subscriberId: z.string(),
  subscriber: subscriber.optional(),
  template: messageWorkflow.optional(),
  templateIdentifier: text,
  createdAt: z.string(),
  deliveredAt: z.array(z.string()).optional(),
  lastSeenDate: text,
  lastReadDate: text,
  content: z.union([z.string(), z.array(emailBlock)]).optional(),
  transactionId: z.string(),
  subject: text,
  channel: openEnum(channelTypes),
  read: z.boolean(),
  seen: z.boolean(),
  snoozedUntil: text,
  email: text,
  phone: text,
  directWebhookUrl: text,
  providerId: text,
  deviceTokens: z.array(z.string()).optional(),
  title: text,
  cta: messageCta,
  _feedId: textOrNull,
  status: openEnum(messageStatuses),
  errorId: text,
  errorText: text,
  payload: jsonObject.optional(),
  overrides: jsonObject.optional(),
  contextKeys: z.array(z.string()).optional(),
});

export type Message = z.output<typeof message>;
export type MessageCta = z.output<typeof messageCta>;
