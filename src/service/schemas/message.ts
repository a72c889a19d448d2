// Messages, as returned when they are marked (specification: Resources, Message).
import { z } from 'zod';
import { limits } from '../limits.ts';
import {
  checked,
  parameter,
  toListIfGiven,
  toListOfGiven,
  toNumber,
  toWholeNumber,
} from '../rules/checked.ts';
import { isNumber, isOneOf, optional, sinceVersion } from '../rules/rules.ts';
import { channelSwitches } from './preferences.ts';
import { numberedPage, queryList, queryNumber } from './query.ts';
import { stepFilter } from './step-filters.ts';
import { subscriber } from './subscribers.ts';
import { jsonObject, openEnum, textOrNull } from './values.ts';
import {
  allChannels,
  buttonTypes,
  channelTypes,
  ctaStatuses,
  ctaTypes,
  emailBlockTypes,
  messageStatuses,
  monthlyTypes,
  ordinals,
  textAlignments,
  timeUnits,
  triggerTypes,
  weekDays,
} from './vocabulary.ts';

const flag = z.boolean().optional();

const text = z.string().optional();

// Timing of digests and delays in messages and jobs
// (specification: Resources, Message; Resources, Triggered event activity item).

/** A duration. */
export const windowFields = { amount: z.number().optional(), unit: openEnum(timeUnits).optional() };

/** The window of a digest, and the payload field by which events are grouped into digests. */
export const digestFields = { ...windowFields, digestKey: z.string().optional() };

export const backoffFields = {
  backoff: z.boolean().optional(),
  backoffAmount: z.number().optional(),
  backoffUnit: openEnum(timeUnits).optional(),
  updateMode: z.boolean().optional(),
};

/** The end of a timed digest: a time of day, and days of the week or month. */
export const timedDigest = z.looseObject({
  atTime: z.string().optional(),
  weekDays: z.array(openEnum(weekDays)).optional(),
  monthDays: z.array(z.number()).optional(),
  ordinal: openEnum(ordinals).optional(),
  ordinalValue: z.string().optional(),
  monthlyType: openEnum(monthlyTypes).optional(),
});

// The workflow record inside a message, and its steps (specification: Resources, Message).
// It is older than the schema of the workflow endpoints, and the two are independent.

/** Timing of a step: a digest, a timed digest, a delay, a scheduled delay, or an unknown type. */
const stepMetadata = z.union([
  z.looseObject({ ...digestFields, ...backoffFields, type: z.enum(['regular', 'backoff']) }),
  z.looseObject({ ...digestFields, type: z.literal('timed'), timed: timedDigest.optional() }),
  z.looseObject({ ...windowFields, type: z.literal('regular') }),
  z.looseObject({ type: z.literal('scheduled'), delayPath: text }),
  z.looseObject({}),
]);

const replyCallback = z.looseObject({ active: flag, url: text });

/** A step of the record. Its variants are steps too. */
export const notificationStep = z.looseObject({
  _id: text,
  uuid: text,
  name: text,
  _templateId: text,
  active: flag,
  shouldStopOnFail: flag,
  template: z.unknown().optional(),
  filters: z.array(stepFilter).optional(),
  _parentId: textOrNull,
  metadata: stepMetadata.optional(),
  replyCallback: replyCallback.optional(),
  get variants(): z.ZodOptional<z.ZodArray<typeof notificationStep>> {
    return z.array(notificationStep).optional();
  },
});

const namedVariable = z.looseObject({ name: z.string() });

/** The trigger of a workflow, with the variables that it uses. */
export const workflowTrigger = z.looseObject({
  type: openEnum(triggerTypes),
  identifier: z.string(),
  variables: z.array(namedVariable),
  subscriberVariables: z.array(namedVariable).optional(),
});

const notificationGroup = z.looseObject({
  _id: text,
  name: z.string(),
  _environmentId: z.string(),
  _organizationId: z.string(),
  _parentId: text,
});

export const messageWorkflow = z.looseObject({
  _id: text,
  name: z.string(),
  description: text,
  active: z.boolean(),
  draft: z.boolean(),
  preferenceSettings: channelSwitches,
  critical: z.boolean(),
  tags: z.array(z.string()),
  steps: z.array(notificationStep),
  _organizationId: z.string(),
  _creatorId: z.string(),
  _environmentId: z.string(),
  triggers: z.array(workflowTrigger),
  _notificationGroupId: z.string(),
  _parentId: text,
  deleted: z.boolean(),
  deletedAt: text,
  deletedBy: text,
  notificationGroup: notificationGroup.optional(),
  data: jsonObject.optional(),
  workflowIntegrationStatus: z.unknown().optional(),
});

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

// Sent messages of all channels (resource of the service, not in the specification).

/** A message in GET `/v1/messages`. Its parts may be null, unlike in the inbox. */
const sentMessage = message.extend({
  subscriber: z.looseObject({ subscriberId: z.string() }).nullable().optional(),
  template: z.looseObject({}).nullable().optional(),
  subject: z.string().nullable().optional(),
  cta: z.looseObject({}).optional(),
});

export const sentMessagePage = numberedPage(sentMessage);

export const listMessagesQuery = z.strictObject({
  channel: z.enum(allChannels).optional(),
  subscriberId: z.string().optional(),
  transactionId: parameter(queryList(z.string()).optional(), toListIfGiven),
  contextKeys: parameter(queryList(z.string()).optional(), toListOfGiven),
  page: parameter(queryNumber({ min: 0 }).optional(), toNumber, optional(isNumber)),
  limit: parameter(
    queryNumber({ min: 1, max: limits.page.messages }).optional(),
    toWholeNumber,
    optional(isNumber),
  ),
});

export const deleteMessagesQuery = z.strictObject({
  channel: checked(
    z.enum(allChannels).optional(),
    optional(sinceVersion('3.19', isOneOf(allChannels), isOneOf(channelTypes))),
  ),
});

export { acknowledgement, emptyResponse } from './values.ts';
export type SentMessage = z.output<typeof sentMessage>;
