// In-app notifications
// (specification: Resources, In-app notification feed item; Endpoints, Subscribers).
import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  isTrueIfGiven,
  parameter,
  readFields,
  toCountLimit,
  toFlag,
  withSecondStage,
} from '../rules/checked.ts';
import {
  isDefined,
  isInteger,
  isObject,
  isObjectIdValue,
  isOneOf,
  isString,
  max,
  min,
  optional,
  type Rule,
  required,
  rule,
  sinceVersion,
  text as textField,
} from '../rules/rules.ts';
import { message, messageCta } from './message.ts';
import { unionError } from './plain-messages.ts';
import { numberedPage, numberedPaging, queryBoolean, queryNumber } from './query.ts';
import { checkedFlag, jsonObject, nonEmptyText, openEnum, textOrNull } from './values.ts';
import {
  actorTypes,
  channelTypes,
  ctaStatuses,
  markStates,
  messageStatuses,
} from './vocabulary.ts';

const text = z.string().optional();

const feedItem = z.looseObject({
  _id: z.string(),
  _templateId: z.string(),
  _environmentId: z.string(),
  _messageTemplateId: text,
  _organizationId: z.string(),
  _notificationId: z.string(),
  _subscriberId: z.string(),
  _feedId: textOrNull,
  _jobId: z.string(),
  createdAt: textOrNull,
  updatedAt: textOrNull,
  actor: z
    .looseObject({ data: z.string().nullable().optional(), type: openEnum(actorTypes) })
    .optional(),
  subscriber: z
    .looseObject({
      _id: text,
      firstName: textOrNull,
      lastName: textOrNull,
      avatar: textOrNull,
      subscriberId: z.string(),
    })
    .optional(),
  transactionId: z.string(),
  templateIdentifier: textOrNull,
  providerId: textOrNull,
  content: z.string(),
  subject: textOrNull,
  channel: openEnum(channelTypes),
  read: z.boolean(),
  seen: z.boolean(),
  deviceTokens: z.array(z.string()).nullable().optional(),
  cta: messageCta,
  status: openEnum(messageStatuses),
  payload: jsonObject.optional(),
  data: jsonObject.nullable().optional(),
  overrides: jsonObject.optional(),
  tags: z.array(z.string()).nullable().optional(),
});

/** The service fails with 500 for a negative page. */
const isNotNegative: Rule = (page, name, context) =>
  Number.isInteger(page) ? min(0)(page, name, context) : undefined;

/**
 * Query of GET `/v1/subscribers/{subscriberId}/notifications/feed`. `payload` is a Base64-encoded JSON object that the
 * payloads of the notifications must contain.
 */
export const feedQuery = withSecondStage(
  z.strictObject({
    ...numberedPaging(
      limits.page.default,
      optional(sinceVersion('3.19', min(0), isNotNegative), isInteger),
    ),
    read: parameter(queryBoolean().optional(), isTrueIfGiven),
    seen: parameter(queryBoolean().optional(), isTrueIfGiven),
    payload: z.string().optional(),
  }),
  'GetNotificationsFeedCommand',
  { payload: textField() },
);

export const feedPage = numberedPage(feedItem).extend({ totalCount: z.number().optional() });

const messageIds = checked(
  z.union([nonEmptyText, z.array(nonEmptyText).min(1, 'no message ids: at least 1 is needed')], {
    error: unionError('not a message id or a list of them'),
  }),
  required(
    isDefined(),
    rule(
      areMessageIds,
      () => 'messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds',
    ),
  ),
);

export const markAsBody = z.strictObject({
  messageId: messageIds,
  markAs: checked(z.enum(markStates), required(isDefined(), isOneOf(markStates))),
});

const mark = z.strictObject({ seen: checkedFlag, read: checkedFlag });

export const markBody = z.strictObject({
  messageId: messageIds,
  mark: checked(mark, { ...required(isDefined(), isObject), fields: readFields(mark) }),
});

function areMessageIds(value: unknown): boolean {
  const ids = Array.isArray(value) ? value : [value];
  return ids.length > 0 && ids.every(isObjectIdValue);
}

export const messageList = z.array(message);

/** Query of GET `/v1/subscribers/{subscriberId}/notifications/unseen`. The count stops at `limit`. */
export const countQuery = withSecondStage(
  z.strictObject({
    seen: parameter(queryBoolean().optional(), toFlag),
    limit: parameter(queryNumber({ min: 1, max: limits.page.messages }).optional(), toCountLimit),
  }),
  'GetFeedCountCommand',
  { limit: optional(max(limits.page.messages), min(1)) },
);

export const notificationCount = z.looseObject({ count: z.number() });

export const actionBody = z.strictObject({
  status: checked(z.enum(ctaStatuses), required(isDefined(), isString())),
  payload: jsonObject.optional(),
});

export { message as markedMessage } from './message.ts';

export const markAllBody = withSecondStage(
  z.strictObject({
    markAs: z.enum(markStates),
    feedIdentifier: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  'MarkAllMessagesAsCommand',
  { markAs: required(isDefined()) },
);

/** The number of changed messages. */
export const changedCount = z.number();

export type FeedItem = z.output<typeof feedItem>;
