// The schema of workflow and layout files. Members with a default can be omitted.
import { z } from 'zod';
import { slugPattern } from '../service/rules/formats.ts';
import {
  toValueErrors,
  type ValueError,
  withPlainMessages,
} from '../service/schemas/plain-messages.ts';
import { jsonObject } from '../service/schemas/values.ts';
import { severities, stepTypes } from '../service/schemas/vocabulary.ts';
import { workflowSettings } from '../service/schemas/workflow-settings.ts';

const fileId = z
  .string()
  .regex(slugPattern, 'must consist of lowercase letters, digits and single hyphens');
const flag = z.boolean().optional();

const workflowFile = z.strictObject({
  workflowId: fileId,
  name: z.string().optional(),
  ...workflowSettings,
  severity: z.enum(severities).optional(),
  preferences: z
    .strictObject({ user: jsonObject.nullable().optional(), default: jsonObject.optional() })
    .optional(),
  steps: z
    .array(
      z.strictObject({
        stepId: z.string(),
        name: z.string().optional(),
        type: z.enum(stepTypes),
        controlValues: jsonObject.nullable().optional(),
      }),
    )
    .optional(),
});

const layoutFile = z.strictObject({
  layoutId: fileId,
  name: z.string().optional(),
  isTranslationEnabled: flag,
  controlValues: jsonObject.optional(),
});

/** Returns the errors of the content of a file: its schema, and steps with the same id. */
export function findFileErrors(kind: 'workflow' | 'layout', value: unknown): ValueError[] {
  const parsed = (kind === 'workflow' ? workflowFile : layoutFile).safeParse(
    value,
    withPlainMessages,
  );
  if (!parsed.success) return parsed.error.issues.flatMap(toValueErrors);
  const { steps = [] } = value as { steps?: { stepId: string }[] };
  return steps.flatMap(({ stepId }, index) =>
    steps.findIndex((other) => other.stepId === stepId) < index
      ? [{ path: ['steps', index, 'stepId'], message: `"${stepId}" is a duplicate` }]
      : [],
  );
}
