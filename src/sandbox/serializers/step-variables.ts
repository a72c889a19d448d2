// The JSON Schema of the variables that a step's content can use: payload, subscriber, context,
// earlier steps.
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';

const text = { type: 'string' };
const closedObject = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const openObject = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

const subscriber = closedObject({
  subscriberId: text,
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  avatar: text,
  locale: text,
  timezone: text,
  data: openObject({}),
});

const digestResult = closedObject({
  events: {
    type: 'array',
    items: closedObject({ id: text, time: text, payload: openObject({}) }),
  },
  eventCount: { type: 'number' },
});

export function stepVariablesSchema(
  { payloadSchema, payloadExample, steps }: StoredWorkflow,
  step: StepDefinition,
): Record<string, unknown> {
  const earlierSteps = steps.slice(0, steps.indexOf(step));
  const results = earlierSteps.map(({ stepId, type }) => [
    stepId,
    type === 'digest' ? digestResult : openObject({}),
  ]);
  return closedObject({
    payload: payloadSchema ?? openObject(inferProperties(payloadExample)),
    subscriber,
    context: openObject({}),
    steps: closedObject(Object.fromEntries(results)),
  });
}

/** Infers property types from an example payload. */
const inferProperties = (example: Record<string, unknown> | null) =>
  Object.fromEntries(
    Object.entries(example ?? {}).map(([name, value]) => [
      name,
      { type: Array.isArray(value) ? 'array' : typeof value },
    ]),
  );
