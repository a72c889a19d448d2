// The workflow record inside a message, and its steps (specification: Resources, Message).
// It is older than the schema of the workflow endpoints, and the two are independent.
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { channelSwitches } from './preferences.ts';
import { stepFilter } from './step-filters.ts';
import { backoffFields, digestFields, timedDigest, windowFields } from './timing.ts';
import { jsonObject, textOrNull } from './values.ts';
import { triggerTypes } from './vocabulary.ts';

const text = z.string().optional();
const flag = z.boolean().optional();

/** Timing of a step: a digest, a timed digest, a delay, a scheduled delay, or an unknown type. */
const stepMetadata = z.union([
  z.looseObject({
    ...digestFields,
    ...backoffFields,
    type: z.enum(['regular', 'backoff']),
  }),
  z.looseObject({
    ...digestFields,
    type: z.literal('timed'),
    timed: timedDigest.optional(),
  }),
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
