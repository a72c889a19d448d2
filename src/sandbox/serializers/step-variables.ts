// The variables of a step as a JSON Schema: workflow, payload, subscriber, context and the results of earlier steps.
import { type StepType, severities } from '../../service/schemas/vocabulary.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';

type Schema = Record<string, unknown>;

const described = (type: string, description: string): Schema => ({ type, description });
const openObject: Schema = { type: 'object', additionalProperties: true, properties: {} };
const object = (properties: Record<string, Schema>, required: readonly string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const workflowSchema: Schema = {
  type: 'object',
  description: 'Schema representing the workflow entity',
  properties: {
    workflowId: described('string', 'Workflow identifier'),
    name: described('string', 'Name of the workflow'),
    description: described('string', 'Description of the workflow'),
    tags: { type: 'array', items: { type: 'string' } },
    severity: {
      type: 'string',
      enum: severities,
      enumName: 'SeverityLevelEnum',
      description: 'Severity of the workflow',
    },
  },
  required: ['workflowId', 'name'],
};

const subscriberSchema: Schema = {
  ...object(
    {
      firstName: described('string', "Subscriber's first name"),
      lastName: described('string', "Subscriber's last name"),
      email: described('string', "Subscriber's email address"),
      phone: described('string', "Subscriber's phone number (optional)"),
      avatar: described('string', "URL to the subscriber's avatar image (optional)"),
      locale: described('string', 'Locale for the subscriber (optional)'),
      timezone: described('string', 'Timezone for the subscriber (optional)'),
      subscriberId: described('string', 'Unique identifier for the subscriber'),
      isOnline: described('boolean', 'Indicates if the subscriber is online (optional)'),
      lastOnlineAt: {
        type: 'string',
        format: 'date-time',
        description: 'The last time the subscriber was online (optional)',
      },
      data: { type: 'object', properties: {}, required: [], additionalProperties: true },
    },
    ['subscriberId'],
  ),
  description: 'Schema representing the subscriber entity',
};

const contextSchema: Schema = {
  type: 'object',
  description: 'Context data passed at trigger time following ContextPayload structure',
  properties: {},
  required: [],
  additionalProperties: {
    ...object({
      id: described('string', 'Context identifier'),
      data: { ...openObject, description: 'Additional context data' },
    }),
    description: 'Context value - can be accessed as string or object',
  },
};

const nullableTime: Schema = { type: 'string', format: 'date-time', nullable: true };

/** The result of each step type, which later steps can use. */
const results: { [Type in StepType]?: Schema } = {
  in_app: object(
    {
      seen: { type: 'boolean' },
      read: { type: 'boolean' },
      lastSeenDate: nullableTime,
      lastReadDate: nullableTime,
    },
    ['seen', 'read', 'lastSeenDate', 'lastReadDate'],
  ),
  delay: object({ duration: { type: 'number' } }, ['duration']),
  digest: object(
    {
      eventCount: { type: 'number' },
      events: {
        type: 'array',
        properties: { length: { type: 'number' } },
        items: object({ id: { type: 'string' }, time: { type: 'string' }, payload: openObject }, [
          'id',
          'time',
          'payload',
        ]),
      },
    },
    ['events'],
  ),
};

export function stepVariablesSchema(
  { payloadSchema, steps }: StoredWorkflow,
  step: StepDefinition,
): Record<string, unknown> {
  return variablesSchemaAfter(steps.slice(0, steps.indexOf(step)), payloadSchema);
}

/** The variables of a step that comes after these steps. */
export function variablesSchemaAfter(
  steps: readonly Pick<StepDefinition, 'stepId' | 'type'>[],
  payloadSchema: Schema | null = null,
): Schema {
  // A throttle has no result.
  const earlier = steps.filter(({ type }) => type !== 'throttle');
  const resultSchemas = earlier.map(({ stepId, type }) => [stepId, results[type] ?? object({})]);
  return {
    type: 'object',
    properties: {
      workflow: workflowSchema,
      subscriber: subscriberSchema,
      steps: {
        ...object(Object.fromEntries(resultSchemas)),
        description: 'Previous Steps Results',
      },
      payload: payloadSchema ?? openObject,
      context: contextSchema,
    },
    additionalProperties: false,
  };
}

export { contextSchema, subscriberSchema };
