// Issues of workflows and steps (specification: Resources, Workflow; Errors).
import { z } from 'zod';
import { openEnum } from './values.ts';
import { contentIssueTypes, integrationIssueTypes } from './vocabulary.ts';

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
