// The activity listing
// (specification: Resources, Triggered event activity item; Endpoints, Events).
import { z } from 'zod';
import { job } from './job.ts';
import { workflowTrigger } from './message-workflow.ts';
import { openEnum } from './open-enum.ts';
import { numberedPage } from './pages.ts';
import { queryList, queryNumber } from './query.ts';
import { jsonObject } from './values.ts';
import { channelTypes, severities, stepTypes, workflowOrigins } from './vocabulary.ts';

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
  channels: z.array(openEnum(stepTypes)).optional(),
  subscriber: activitySubscriber.optional(),
  template: activityWorkflow.optional(),
  jobs: z.array(job).optional(),
  payload: jsonObject.optional(),
  tags: z.array(z.string()).optional(),
  controls: jsonObject.optional(),
  to: jsonObject.optional(),
  topics: z.array(z.looseObject({ _topicId: z.string(), topicKey: z.string() })).optional(),
  severity: openEnum(severities).optional(),
  critical: z.boolean().optional(),
  contextKeys: z.array(z.string()).optional(),
});

/** Response of GET `/v1/notifications`. */
export const activityPage = numberedPage(activityItem);

const texts = queryList(z.string()).optional();

/** Query of GET `/v1/notifications`. Different filters are combined with AND, the values of one filter with OR. */
export const listActivityQuery = z.strictObject({
  channels: queryList(z.enum(channelTypes)).optional(),
  templates: texts,
  emails: texts,
  search: z.string().optional().meta({ deprecated: true }),
  subscriberIds: texts,
  severity: queryList(z.enum(severities)).optional(),
  page: queryNumber({ min: 0 }).optional(),
  limit: queryNumber({ min: 1, max: 50 }).optional(),
  transactionId: texts,
  topicKey: z.string().optional(),
  contextKeys: queryList(
    z.string().regex(/^[^:]+:.+$/, 'not a context key such as tenant:org-acme'),
  ).optional(),
  after: z.string().optional(),
  before: z.string().optional(),
});

export type ActivityItem = z.output<typeof activityItem>;

export const activityStats = z.looseObject({ weeklySent: z.number(), monthlySent: z.number() });
