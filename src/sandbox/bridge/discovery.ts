// Reads the workflows that the endpoint of an application defines.
import { z } from 'zod';
import { jsonObject } from '../../service/schemas/values.ts';
import { severities, stepTypes } from '../../service/schemas/vocabulary.ts';

const withSchema = z.looseObject({ schema: jsonObject.optional() }).optional();

const step = z.looseObject({
  stepId: z.string().min(1),
  type: z.enum(stepTypes),
  controls: withSchema,
  options: z.looseObject({ failOnErrorEnabled: z.boolean().optional() }).optional(),
});

const workflow = z.looseObject({
  workflowId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  tags: z.array(z.string()).optional(),
  severity: z.enum(severities).optional(),
  active: z.boolean().optional(),
  preferences: jsonObject.optional(),
  payload: withSchema,
  controls: withSchema,
  steps: z.array(step),
});

const discovery = z.looseObject({ workflows: z.array(workflow) });

export type DiscoveredWorkflow = z.output<typeof workflow>;

/** Throws an error that names the first problem. */
export function readDiscovery(value: unknown): DiscoveredWorkflow[] {
  const read = discovery.safeParse(value);
  if (read.success) return read.data.workflows;
  const [issue] = read.error.issues;
  throw new Error(`${issue?.path.join('.')}: ${issue?.message}`);
}

const execution = z.looseObject({
  outputs: jsonObject,
  options: z.looseObject({ skip: z.boolean().optional() }).nullish(),
});

/** Undefined if the response has another form. */
export function readExecution(value: unknown) {
  const read = execution.safeParse(value);
  if (!read.success) return undefined;
  return { outputs: read.data.outputs, isSkipped: read.data.options?.skip === true };
}
