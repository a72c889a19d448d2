// The activity listing
// (specification: Resources, Triggered event activity item; Endpoints, Events).
import { z } from 'zod';
import { jobStatuses } from '../job-outcomes.ts';
import { limits } from '../limits.ts';
import { jobProviders } from '../providers.ts';
import {
  checked,
  parameter,
  toList,
  toListIfGiven,
  toListOfGiven,
  withSecondStage,
} from '../rules/checked.ts';
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
  sinceVersion,
  text as textField,
} from '../rules/rules.ts';
import {
  backoffFields,
  digestFields,
  notificationStep,
  timedDigest,
  workflowTrigger,
} from './message.ts';
import { numberedPage, numberedPaging, queryList, textFilter } from './query.ts';
import { stepFilter } from './step-filters.ts';
import { jsonObject, openEnum, textOrNull } from './values.ts';
import {
  allChannels,
  allStepTypes,
  channelTypes,
  digestTypes,
  executionSources,
  executionStatuses,
  severities,
  stepTypes,
  workflowOrigins,
} from './vocabulary.ts';

const text = z.string().optional();

// Jobs of a triggered event (specification: Resources, Triggered event activity item).

/** One step in the execution of a job. `raw` is text, often JSON. */
export const executionDetail = z.looseObject({
  _id: z.string(),
  createdAt: text,
  status: openEnum(executionStatuses),
  detail: z.string(),
  isRetry: z.boolean(),
  isTest: z.boolean(),
  providerId: openEnum(jobProviders).optional(),
  raw: z.string().nullable().optional(),
  source: openEnum(executionSources),
});

const digestMetadata = z.looseObject({
  ...digestFields,
  ...backoffFields,
  type: openEnum(digestTypes),
  events: z.array(jsonObject).optional(),
  timed: timedDigest.extend({ cronExpression: text, untilDate: text }).optional(),
});

/** The workflow step of the job, as it was when the event was triggered. */
const jobStep = z.looseObject({
  _id: z.string(),
  active: z.boolean(),
  replyCallback: jsonObject.optional(),
  controlVariables: jsonObject.optional(),
  metadata: jsonObject.optional(),
  issues: jsonObject.optional(),
  filters: z.array(stepFilter),
  template: z.unknown().optional(),
  variants: z.array(notificationStep).optional(),
  _templateId: z.string(),
  name: text,
  _parentId: z.string().nullable().optional(),
});

export const job = z.looseObject({
  _id: z.string(),
  type: openEnum(stepTypes),
  digest: digestMetadata.optional(),
  executionDetails: z.array(executionDetail),
  step: jobStep,
  overrides: jsonObject.optional(),
  payload: jsonObject.optional(),
  providerId: openEnum(jobProviders),
  status: openEnum(jobStatuses),
  updatedAt: text,
  scheduleExtensionsCount: z.number().optional(),
});

export type Job = z.output<typeof job>;
export type JobStep = z.output<typeof jobStep>;
export type DigestMetadata = z.output<typeof digestMetadata>;
export type ExecutionDetail = z.output<typeof executionDetail>;

const activitySubscriber = z.looseObject({
  subscriberId: z.string(),
  _id: z.string(),
  firstName: textOrNull,
  lastName: textOrNull,
  email: textOrNull,
  phone: textOrNull,
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
    // Since 3.12.
    subscriptionId: z.string().optional(),
  }),
  'GetActivityFeedCommand',
  {
    channels: optional(sinceVersion('3.19', areOneOf(allChannels), areOneOf(channelTypes))),
    templates: optional(areObjectIds),
    search: textField(),
    after: textField(),
    before: textField(),
  },
);

export type ActivityItem = z.output<typeof activityItem>;

export type TopicOfEvent = z.output<typeof topicOfEvent>;

export const activityStats = z.looseObject({ weeklySent: z.number(), monthlySent: z.number() });

export const executionDetailsQuery = z.strictObject({
  notificationId: checked(z.string(), required(isObjectId(), isDefined())),
  subscriberId: checked(z.string(), required(isString(), isDefined())),
});

export const executionDetailList = z.array(executionDetail);
