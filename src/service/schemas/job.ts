// Jobs of a triggered event (specification: Resources, Triggered event activity item).
import { z } from 'zod';
import { jobStatuses } from '../job-status.ts';
import { notificationStep } from './message-workflow.ts';
import { openEnum } from './open-enum.ts';
import { jobProviders } from './providers.ts';
import { stepFilter } from './step-filters.ts';
import { backoffFields, digestFields, timedDigest } from './timing.ts';
import { jsonObject } from './values.ts';
import { digestTypes, executionSources, executionStatuses, stepTypes } from './vocabulary.ts';

const text = z.string().optional();

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
