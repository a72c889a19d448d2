// Workflows (specification: Resources, Workflow; Endpoints, Workflows).
import { z } from 'zod';
import { isJsonSchema } from '../payload-schema.ts';
import { checked, convertIn, parameter, toList } from '../rules/checked.ts';
import {
  areOneOf,
  areStrings,
  isArray,
  isObject,
  isOneOf,
  isString,
  optional,
  required,
  rule,
} from '../rules/rules.ts';
import { offsetPaging, queryList, textFilter } from './query.ts';
import { checkedFlag, jsonObject, openEnum, textOrNull } from './values.ts';
import {
  contentIssueTypes,
  integrationIssueTypes,
  orderDirections,
  type Severity,
  severities,
  stepTypes,
  workflowOrders,
  workflowOrigins,
  workflowStatuses,
} from './vocabulary.ts';

// The layout of a step's controls in an editor (specification: Resources, Workflow step).

const uiGroups = [
  'IN_APP',
  'EMAIL',
  'DIGEST',
  'DELAY',
  'THROTTLE',
  'SMS',
  'CHAT',
  'PUSH',
  'SKIP',
  'LAYOUT',
] as const;

const uiComponents = [
  'EMAIL_EDITOR_SELECT',
  'LAYOUT_SELECT',
  'BLOCK_EDITOR',
  'EMAIL_BODY',
  'TEXT_FULL_LINE',
  'TEXT_INLINE_LABEL',
  'IN_APP_BODY',
  'IN_APP_AVATAR',
  'IN_APP_PRIMARY_SUBJECT',
  'IN_APP_BUTTON_DROPDOWN',
  'IN_APP_DISABLE_SANITIZATION_SWITCH',
  'DISABLE_SANITIZATION_SWITCH',
  'URL_TEXT_BOX',
  'DIGEST_AMOUNT',
  'DIGEST_UNIT',
  'DIGEST_TYPE',
  'DIGEST_KEY',
  'DIGEST_CRON',
  'DELAY_AMOUNT',
  'DELAY_UNIT',
  'DELAY_TYPE',
  'DELAY_CRON',
  'DELAY_DYNAMIC_KEY',
  'THROTTLE_TYPE',
  'THROTTLE_WINDOW',
  'THROTTLE_UNIT',
  'THROTTLE_DYNAMIC_KEY',
  'THROTTLE_THRESHOLD',
  'THROTTLE_KEY',
  'EXTEND_TO_SCHEDULE',
  'SMS_BODY',
  'CHAT_BODY',
  'PUSH_BODY',
  'PUSH_SUBJECT',
  'QUERY_EDITOR',
  'DATA',
  'LAYOUT_EMAIL',
] as const;

const placeholderValue = z.union([z.string(), z.number(), z.boolean(), jsonObject]);

/** One control. A group of controls has nested properties. */
const uiProperty = z.looseObject({
  placeholder: z
    .union([placeholderValue, z.array(placeholderValue)])
    .nullable()
    .optional(),
  component: openEnum(uiComponents),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof uiProperty>> {
    return z.record(z.string(), uiProperty).optional();
  },
});

export const uiSchema = z.looseObject({
  group: openEnum(uiGroups).optional(),
  properties: z.record(z.string(), uiProperty).optional(),
});

// Issues of workflows and steps (specification: Resources, Workflow; Errors).

const issueFields = {
  variableName: z.string().optional(),
  message: z.string(),
  /** Since 3.19. A warning does not make the status ERROR. */
  severity: openEnum(['error', 'warning']).optional(),
};

const contentIssue = z.looseObject({ issueType: openEnum(contentIssueTypes), ...issueFields });

const integrationIssue = z.looseObject({
  issueType: openEnum(integrationIssueTypes),
  ...issueFields,
});

/** Issues of a step, by the name of the control or channel. */
export const stepIssues = z.looseObject({
  controls: z.record(z.string(), z.array(contentIssue)).optional(),
  integration: z.record(z.string(), z.array(integrationIssue)).optional(),
});

/** An issue of a whole workflow. */
export const runtimeIssue = z.looseObject({ issueType: z.string(), ...issueFields });

export type StepIssues = z.output<typeof stepIssues>;

// The settings of a workflow: what it is besides its identifier, its name, its preferences and its steps. Requests,
// responses, state files and workflow files have the same.

/** In the order in which the service checks them. */
export const workflowSettings = {
  description: checked(z.string().nullable().optional(), optional(isString())),
  tags: checked(z.array(z.string()).nullable().optional(), optional(areStrings, isArray)),
  active: checkedFlag,
  validatePayload: checkedFlag,
  payloadSchema: checked(
    jsonObject.nullable().optional(),
    optional(rule(isJsonSchema, () => 'payloadSchema must be a valid JSON schema')),
  ),
  isTranslationEnabled: checkedFlag,
};

export type WorkflowSettings = z.output<z.ZodObject<typeof workflowSettings>> & {
  severity?: Severity | undefined;
};

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

export const syncBody = z.strictObject({
  targetEnvironmentId: checked(z.string(), required(isString())),
});

export type WorkflowStep = z.output<typeof workflowStep>;

/** Body of POST `/v2/workflows/{workflowId}/step/{stepId}/preview`. Absent control values are those of the step. */
export const previewStepBody = z.strictObject({
  controlValues: checked(jsonObject.optional(), optional(isObject)),
  /** `payload`, `subscriber`, `steps`, `context`, `actor` and `env` of the templates; sample data if absent. */
  previewPayload: checked(jsonObject.optional(), optional(isObject)),
});

/** A preview without type: the step does not exist, or its templates cannot be rendered. */
export const stepPreview = z.looseObject({
  result: z.looseObject({ type: textOrNull, preview: jsonObject.nullable().optional() }),
  previewPayloadExample: jsonObject.optional(),
  schema: jsonObject.nullable().optional(),
});

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

export const workflow = z.looseObject({
  ...identity,
  ...history,
  steps: z.array(workflowStep),
  preferences: workflowDelivery,
  severity: openEnum(severities),
  ...workflowSettings,
  payloadExample: jsonObject.nullable().optional(),
  issues: z.record(z.string(), runtimeIssue).optional(),
  /** Since 3.19. */
  agent: jsonObject.nullable().optional(),
});

/** A single value is a list of one, since 3.15. */
const toListSince315 = convertIn({ since: '3.15' }, toList);

export const listWorkflowsQuery = z.strictObject({
  query: textFilter,
  tags: parameter(queryList(z.string()).optional(), toListSince315, optional(areStrings, isArray)),
  status: parameter(
    queryList(z.enum(workflowStatuses)).optional(),
    toListSince315,
    optional(areOneOf(workflowStatuses), isArray),
  ),
  ...offsetPaging,
  orderDirection: checked(z.enum(orderDirections).optional(), optional(isOneOf(orderDirections))),
  orderBy: checked(
    z.enum(workflowOrders).optional(),
    optional(isOneOf(workflowOrders), isString()),
  ),
});

export const getWorkflowQuery = z.strictObject({ environmentId: z.string().optional() });

export type Workflow = z.output<typeof workflow>;

export type WorkflowSummary = z.output<typeof workflowSummary>;
