// Steps of a workflow (specification: Resources, Workflow step). All types share one lenient schema.
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { uiSchema } from './ui-schema.ts';
import { jsonObject } from './values.ts';
import { stepTypes, workflowOrigins } from './vocabulary.ts';
import { stepIssues } from './workflow-issues.ts';

/** The controls of a step. `values` is present only for steps inside a workflow. */
export const stepControls = z.looseObject({
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
