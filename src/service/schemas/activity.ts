// The activity listing
// (specification: Resources, Triggered event activity item; Endpoints, Events).
import { z } from 'zod';
import { limits } from '../limits.ts';
import { checked, parameter, withSecondStage } from '../rules/checked.ts';
import { toList, toListIfGiven, toListOfGiven } from '../rules/conversions.ts';
import {
  areObjectIds,
  areOneOf,
  isDefined,
  isInteger,
  isObjectId,
  isString,
  min,
  optional,
  type Rule,
  required,
  text as textField,
} from '../rules/rules.ts';
import { executionDetail, job } from './job.ts';
import { workflowTrigger } from './message-workflow.ts';
import { openEnum } from './open-enum.ts';
import { numberedPage } from './pages.ts';
import { numberedPaging, queryList, textFilter } from './query.ts';
import { jsonObject } from './values.ts';
import {
  allChannels,
  allStepTypes,
  channelTypes,
  severities,
  workflowOrigins,
} from './vocabulary.ts';

const text = z.string().optional();

const activitySubscriber = z.looseObject({
  subscriberId: z.string(),
  _id: z.string(),
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
});

const activityWorkflow = z.looseObject({
  _id: text,
  name: z.string(),
  origin: openEnum(workflowOrigins).optional(),
  triggers: z.array(workflowTrigger),
});

/** The topic through which an event reached a subscriber. Since 3.12 with the condition of the subscription. */
const topicOfEvent = z.looseObject({
  _topicId: z.string(),
  topicKey: z.string(),
  subscriptionIdentifier: z.string().optional(),
  preferenceEvaluation: z
    .looseObject({
      result: z.boolean().optional(),
      subscriptionIdentifier: z.string().optional(),
      condition: z.unknown().optional(),
    })
    .nullable()
    .optional(),
});

/** A triggered event for one recipient. */
export const activityItem = z.looseObject({
  _id: text,
  _environmentId: z.string(),
  _organizationId: z.string(),
  _subscriberId: z.string(),
  transactionId: z.string(),
  _templateId: text,
  _digestedNotificationId: text,
  createdAt: text,
  updatedAt: text,
  channels: z.array(openEnum(allStepTypes)).optional(),
  subscriber: activitySubscriber.optional(),
  template: activityWorkflow.optional(),
  jobs: z.array(job).optional(),
  payload: jsonObject.optional(),
  tags: z.array(z.string()).optional(),
  controls: jsonObject.optional(),
  to: jsonObject.optional(),
  topics: z.array(topicOfEvent).optional(),
  severity: openEnum(severities).optional(),
  critical: z.boolean().optional(),
  contextKeys: z.array(z.string()).optional(),
});

/** Response of GET `/v1/notifications`. */
export const activityPage = numberedPage(activityItem);

const texts = parameter(queryList(z.string()).optional(), toListIfGiven);

/** For an unknown severity, the service has no text. */
const isSeverity: Rule = (value, name, context) =>
  areOneOf(severities)(value, name, context) === undefined ? undefined : '';

/** Query of GET `/v1/notifications`. Different filters are combined with AND, the values of one filter with OR. */
export const listActivityQuery = withSecondStage(
  z.strictObject({
    channels: parameter(queryList(z.enum(allChannels)).optional(), toListIfGiven),
    templates: texts,
    emails: texts,
    search: z.string().optional().meta({ deprecated: true }),
    subscriberIds: texts,
    severity: parameter(queryList(z.enum(severities)).optional(), toList, optional(isSeverity)),
    ...numberedPaging(limits.page.activity, optional(min(0), isInteger)),
    transactionId: texts,
    topicKey: textFilter,
    contextKeys: parameter(
      queryList(
        z.string().regex(/^[^:]+:.+$/, 'not a context key such as tenant:org-acme'),
      ).optional(),
      toListOfGiven,
    ),
    after: z.string().optional(),
    before: z.string().optional(),
  }),
  {
    channels: optional(areOneOf(channelTypes)),
    templates: optional(areObjectIds),
    search: textField(),
    after: textField(),
    before: textField(),
  },
);

export type ActivityItem = z.output<typeof activityItem>;

export type TopicOfEvent = z.output<typeof topicOfEvent>;

export const activityStats = z.looseObject({ weeklySent: z.number(), monthlySent: z.number() });

/** Query of GET `/v1/execution-details`. */
export const executionDetailsQuery = z.strictObject({
  notificationId: checked(z.string(), required(isObjectId(), isDefined())),
  subscriberId: checked(z.string(), required(isString(), isDefined())),
});

export const executionDetailList = z.array(executionDetail);
