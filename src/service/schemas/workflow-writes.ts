// Bodies that create and change workflows (not in the specification).

import { z } from 'zod';
import { limits } from '../limits.ts';
import { jsonObject, nonEmptyText } from './values.ts';
import { severities, stepTypes, workflowOrigins } from './vocabulary.ts';
import { workflow } from './workflows.ts';

const flag = z.boolean().optional();

/** An identifier: lowercase words of letters and digits, joined by hyphens. */
export const workflowIdentifier = nonEmptyText.regex(
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  'not lowercase letters, digits and single hyphens',
);

const channelPreference = z.looseObject({ enabled: flag });
const preferenceLevel = z.looseObject({
  all: z.looseObject({ enabled: flag, readOnly: flag }).optional(),
  channels: z
    .looseObject({
      email: channelPreference,
      sms: channelPreference,
      in_app: channelPreference,
      chat: channelPreference,
      push: channelPreference,
    })
    .optional(),
});

/** Preferences in a request: the response has those of `workflow` as `default`. */
export const preferencesBody = z.strictObject({
  user: preferenceLevel.nullable().optional(),
  workflow: preferenceLevel.nullable().optional(),
});

/** A step in a request. A step with an unknown `_id` is created without its control values. */
export const stepBody = z.strictObject({
  _id: nonEmptyText.optional(),
  stepId: workflowIdentifier.optional(),
  name: nonEmptyText,
  type: z.enum(stepTypes),
  controlValues: jsonObject.nullable().optional(),
});

const content = {
  name: nonEmptyText.max(limits.workflowName, `longer than ${limits.workflowName} characters`),
  description: z
    .string()
    .max(limits.workflowDescription, `longer than ${limits.workflowDescription} characters`)
    .nullable()
    .optional(),
  tags: z
    .array(nonEmptyText)
    .max(limits.tagsPerWorkflow, `more than ${limits.tagsPerWorkflow} tags`)
    .nullable()
    .optional(),
  active: flag,
  validatePayload: flag,
  payloadSchema: jsonObject.nullable().optional(),
  isTranslationEnabled: flag,
};

const definition = {
  ...content,
  severity: z.enum(severities).optional(),
  preferences: preferencesBody.optional(),
  steps: z
    .array(stepBody)
    .max(limits.stepsPerWorkflow, `more than ${limits.stepsPerWorkflow} steps`),
};

/** Body of POST `/v2/workflows`. */
export const createWorkflowBody = z.strictObject({
  workflowId: workflowIdentifier,
  ...definition,
  __source: z.string().optional(),
});

/** Body of PUT `/v2/workflows/{workflowId}`. Fields that are left out are reset, except the descriptive ones. */
export const updateWorkflowBody = z.strictObject({
  workflowId: workflowIdentifier.optional(),
  origin: z.enum(workflowOrigins),
  ...definition,
});

/** Body of PATCH `/v2/workflows/{workflowId}`. Null and absent fields are kept. */
export const patchWorkflowBody = z.strictObject({ ...content, name: content.name.optional() });

export { emptyResponse } from './values.ts';
export { workflow };
