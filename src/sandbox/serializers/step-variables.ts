// What the content of a step can refer to, as a JSON Schema: payload, subscriber, context,
// earlier steps.
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';

const text = { type: 'string' };
const closed = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  additionalProperties: false,
});
const open = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

const subscriber = closed({
  subscriberId: text,
  firstName: text,
  lastName: text,
  email: text,
  phone: text,
  avatar: text,
  locale: text,
  timezone: text,
  data: open({}),
});

const digested = closed({
  events: {
    type: 'array',
    items: closed({ id: text, time: text, payload: open({}) }),
  },
  eventCount: { type: 'number' },
});

export function stepVariables(
  { payloadSchema, payloadExample, steps }: StoredWorkflow,
  step: StepDefinition,
): Record<string, unknown> {
  const earlier = steps.slice(0, steps.indexOf(step));
  const results = earlier.map(({ stepId, type }) => [
    stepId,
    type === 'digest' ? digested : open({}),
  ]);
  return closed({
    payload: payloadSchema ?? open(guessed(payloadExample)),
    subscriber,
    context: open({}),
    steps: closed(Object.fromEntries(results)),
  });
}

/** Types of the members of an example. */
const guessed = (example: Record<string, unknown> | null) =>
  Object.fromEntries(
    Object.entries(example ?? {}).map(([name, value]) => [
      name,
      { type: Array.isArray(value) ? 'array' : typeof value },
    ]),
  );
