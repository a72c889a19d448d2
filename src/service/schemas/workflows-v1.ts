// Workflows in version 1 of the routes, which were also called notification templates.
import { z } from 'zod';
import { checked } from '../rules/checked.ts';
import {
  hasAtMostCharacters,
  isArray,
  isBoolean,
  isDefined,
  isInteger,
  isString,
  optional,
  required,
  text,
} from '../rules/rules.ts';
import { numberedPaging, textFilter } from './query.ts';
import { checkedFlag, jsonObject } from './values.ts';

/** The content of a step and its timing. */
const stepV1 = z.looseObject({
  _id: z.string().optional(),
  uuid: z.string().optional(),
  name: z.string().optional(),
  active: z.boolean().optional(),
  shouldStopOnFail: z.boolean().optional(),
  template: z.looseObject({ type: z.string() }).optional(),
  metadata: jsonObject.optional(),
});

export const workflowV1 = z.looseObject({
  _id: z.string(),
  name: z.string(),
  active: z.boolean(),
  steps: z.array(stepV1),
  triggers: z.array(z.looseObject({ identifier: z.string() })),
});

/** Query of GET `/v1/workflows`. */
export const workflowQueryV1 = z.strictObject({
  ...numberedPaging(100, optional(isInteger)),
  query: textFilter,
});

export const workflowListV1 = z.looseObject({
  data: z.array(workflowV1),
  page: z.number(),
  pageSize: z.number(),
  totalCount: z.number(),
});

const shared = {
  tags: checked(z.array(z.string()).optional(), optional(isArray)),
  description: checked(z.string().optional(), optional(hasAtMostCharacters(1000), isString())),
  critical: checkedFlag,
  preferenceSettings: jsonObject.optional(),
  data: jsonObject.optional(),
};

/** Body of POST `/v1/workflows`. */
export const createWorkflowV1Body = z.strictObject({
  name: checked(z.string(), required(isDefined(), isString())),
  notificationGroupId: checked(
    z.string(),
    required(isDefined('Notification group must be provided '), isString()),
  ),
  ...shared,
  steps: checked(z.array(stepV1), required(isArray, isDefined())),
  active: checkedFlag,
  draft: checkedFlag,
});

/** Body of PUT `/v1/workflows/{workflowId}`. */
export const updateWorkflowV1Body = z.strictObject({
  name: checked(z.string().optional(), text()),
  identifier: checked(z.string().optional(), text()),
  notificationGroupId: checked(z.string().optional(), text()),
  ...shared,
  steps: checked(z.array(stepV1).optional(), optional(isArray)),
});

/** Body of PUT `/v1/workflows/{workflowId}/status`. */
export const workflowStatusBody = z.strictObject({
  active: checked(z.boolean(), required(isDefined(), isBoolean)),
});

export const isDeleted = z.boolean();

export type StepV1 = z.output<typeof stepV1>;
