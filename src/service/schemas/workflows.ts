// Workflows (specification: Resources, Workflow; Endpoints, Workflows).
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import { areOneOf, areStrings, isArray, isOneOf, isString, optional } from '../rules/rules.ts';
import { openEnum } from './open-enum.ts';
import { offsetPaging, queryList, textFilter } from './query.ts';
import { uiSchema } from './ui-schema.ts';
import { jsonObject, textOrNull } from './values.ts';
import {
  orderDirections,
  severities,
  stepTypes,
  workflowOrders,
  workflowOrigins,
  workflowStatuses,
} from './vocabulary.ts';
import { runtimeIssue, stepIssues } from './workflow-issues.ts';
import { workflowSettings } from './workflow-settings.ts';

/** The controls of a step. `values` is present only for steps inside a workflow. */
const stepControls = z.looseObject({
  dataSchema: jsonObject.optional(),
  uiSchema: uiSchema.optional(),
  values: jsonObject.optional(),
});

export const workflowStep = z.looseObject({
  controls: stepControls,
  controlValues: jsonObject.optional(),
  variables: jsonObject,
  stepId: z.string(),
  _id: z.string(),
  name: z.string(),
  slug: z.string(),
  type: openEnum(stepTypes),
  origin: openEnum(workflowOrigins),
  workflowId: z.string(),
  workflowDatabaseId: z.string(),
  issues: stepIssues.optional(),
});

export type WorkflowStep = z.output<typeof workflowStep>;

export const userReference = z.looseObject({
  _id: z.string(),
  firstName: textOrNull,
  lastName: textOrNull,
  externalId: textOrNull,
});

const identity = {
  name: z.string(),
  _id: z.string(),
  workflowId: z.string(),
  slug: z.string(),
  updatedAt: z.string(),
  createdAt: z.string(),
  status: openEnum(workflowStatuses),
  origin: openEnum(workflowOrigins),
};

const history = {
  tags: workflowSettings.tags,
  updatedBy: userReference.optional(),
  lastPublishedAt: textOrNull,
  lastPublishedBy: userReference.nullable().optional(),
  lastTriggeredAt: textOrNull,
  isTranslationEnabled: workflowSettings.isTranslationEnabled,
};

/** A step in a listing. */
const stepSummary = z.looseObject({
  slug: z.string(),
  type: openEnum(stepTypes),
  issues: stepIssues.optional(),
});

/** A workflow in a listing. */
const workflowSummary = z.looseObject({
  ...identity,
  ...history,
  stepTypeOverviews: z.array(openEnum(stepTypes)),
  steps: z.array(stepSummary),
});

/** Response of GET `/v2/workflows`. */
export const workflowPage = z.looseObject({
  workflows: z.array(workflowSummary),
  totalCount: z.number(),
});

const preferenceLevel = z.looseObject({
  all: z
    .looseObject({ enabled: z.boolean().optional(), readOnly: z.boolean().optional() })
    .optional(),
  channels: z.record(z.string(), z.looseObject({ enabled: z.boolean().optional() })).optional(),
});

/** Delivery preferences: `user` overrides `default`. `all.readOnly` makes the workflow critical. */
const workflowDelivery = z.looseObject({
  user: preferenceLevel.nullable().optional(),
  default: preferenceLevel.optional(),
});

/** Response of GET `/v2/workflows/{workflowId}`. */
export const workflow = z.looseObject({
  ...identity,
  ...history,
  steps: z.array(workflowStep),
  preferences: workflowDelivery,
  severity: openEnum(severities),
  ...workflowSettings,
  payloadExample: jsonObject.nullable().optional(),
  issues: z.record(z.string(), runtimeIssue).optional(),
});

/** Query of GET `/v2/workflows`. */
export const listWorkflowsQuery = z.strictObject({
  query: textFilter,
  tags: checked(queryList(z.string()).optional(), optional(areStrings, isArray)),
  status: checked(
    queryList(z.enum(workflowStatuses)).optional(),
    optional(areOneOf(workflowStatuses), isArray),
  ),
  ...offsetPaging,
  orderDirection: checked(z.enum(orderDirections).optional(), optional(isOneOf(orderDirections))),
  orderBy: checked(
    z.enum(workflowOrders).optional(),
    optional(isOneOf(workflowOrders), isString()),
  ),
});

/** Query of GET `/v2/workflows/{workflowId}`. */
export const getWorkflowQuery = z.strictObject({ environmentId: z.string().optional() });

export type Workflow = z.output<typeof workflow>;

export type WorkflowSummary = z.output<typeof workflowSummary>;
