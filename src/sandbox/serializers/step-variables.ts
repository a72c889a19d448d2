// The variables of a step as a JSON Schema: workflow, payload, subscriber, context and the results of earlier steps.
import { asObject, isObject } from '../../core/objects.ts';
import { type StepType, severities } from '../../service/schemas/vocabulary.ts';
import type { StepDefinition, StoredWorkflow } from '../store/workflows.ts';
import { usedVariables, variablesSchema } from './used-variables.ts';

type Schema = Record<string, unknown>;

const described = (type: string, description: string): Schema => ({ type, description });
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

/** `data` is the custom data that templates use. */
export const subscriberSchema = (data: unknown = {}): Schema => ({
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
      data: variablesSchema(data),
    },
    ['subscriberId'],
  ),
  description: 'Schema representing the subscriber entity',
});

const contextId = described('string', 'Context identifier');
const anyContextData: Schema = {
  type: 'object',
  description: 'Additional context data',
  additionalProperties: true,
};

/** `contexts` are those that templates use, by type; others are allowed. */
export const contextSchema = (contexts: unknown = {}): Schema => ({
  type: 'object',
  description: 'Context data passed at trigger time following ContextPayload structure',
  properties: Object.fromEntries(
    Object.entries(asObject(contexts)).flatMap(([type, context]) =>
      isObject(context) ? [[type, usedContextSchema(context)]] : [],
    ),
  ),
  required: [],
  additionalProperties: {
    ...object({ id: contextId, data: { ...anyContextData, properties: {} } }),
    description: 'Context value - can be accessed as string or object',
  },
});

const usedContextSchema = ({ data }: Record<string, unknown>): Schema =>
  object({ id: contextId, data: isObject(data) ? variablesSchema(data) : anyContextData }, ['id']);

const nullableTime: Schema = { type: 'string', format: 'date-time', nullable: true };

/** The result of each step type, which later steps can use. A throttle has none. */
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
};

/** A digest has the payloads of its events, which may have more than the payload schema names. */
const digestResult = (payloadSchema: Schema | null): Schema =>
  object(
    {
      eventCount: { type: 'number' },
      events: {
        type: 'array',
        properties: { length: { type: 'number' } },
        items: object(
          {
            id: { type: 'string' },
            time: { type: 'string' },
            payload: { ...(payloadSchema ?? { type: 'object' }), additionalProperties: true },
          },
          ['id', 'time', 'payload'],
        ),
      },
    },
    ['events'],
  );

export function stepVariablesSchema(
  { payloadSchema, steps }: StoredWorkflow,
  step: StepDefinition,
): Record<string, unknown> {
  const values = steps.flatMap(({ controlValues }) => Object.values(controlValues));
  return variablesSchemaAfter(
    steps.slice(0, steps.indexOf(step)),
    payloadSchema,
    usedVariables(values),
  );
}

/** Has the variables of a step that comes after these steps, and those that templates use. */
export function variablesSchemaAfter(
  steps: readonly Pick<StepDefinition, 'stepId' | 'type'>[],
  payloadSchema: Schema | null = null,
  used: Record<string, unknown> = {},
): Schema {
  const resultSchema = (type: StepType) =>
    type === 'digest' ? digestResult(payloadSchema) : (results[type] ?? object({}));
  const earlier = steps.filter(({ type }) => type !== 'throttle');
  const resultSchemas = earlier.map(({ stepId, type }) => [stepId, resultSchema(type)]);
  const { subscriber } = used;
  return {
    type: 'object',
    properties: {
      workflow: workflowSchema,
      subscriber: subscriberSchema(isObject(subscriber) ? subscriber.data : {}),
      steps: {
        ...object(Object.fromEntries(resultSchemas)),
        description: 'Previous Steps Results',
      },
      payload: payloadSchema ?? variablesSchema(used.payload),
      context: contextSchema(used.context),
    },
    additionalProperties: false,
  };
}
