// The schema of a state file. Records refer to each other by public identifiers. See README.md.
import { toJSONSchema, z } from 'zod';
import { readDuration } from '../../core/durations.ts';
import { modes } from '../../service/mode.ts';
import { triggerEvent } from '../../service/schemas/events.ts';
import {
  integrationConfigurationsBody,
  integrationCredentialsBody,
} from '../../service/schemas/integrations.ts';
import { scheduleBody, updatePreferencesBody } from '../../service/schemas/preferences.ts';
import { stepFilterBody } from '../../service/schemas/step-filters.ts';
import { channelCredentialsBody, subscriberRow } from '../../service/schemas/subscribers.ts';
import { choiceCondition } from '../../service/schemas/topics.ts';
import { jsonObject, nonEmptyText } from '../../service/schemas/values.ts';
import {
  allChannels,
  allStepTypes,
  editorTypes,
  environmentTypes,
  markStates,
  severities,
  workflowOrigins,
} from '../../service/schemas/vocabulary.ts';
import { workflowSettings } from '../../service/schemas/workflows.ts';
import { sandboxVersions } from '../../service/versions.ts';

/** The description appears in `svc schema state` and in the types of the testing module. */
const described = <S extends z.ZodType>(schema: S, description: string): S =>
  schema.meta({ description });

const flag = z.boolean().optional();
const { channels } = updatePreferencesBody.shape;

const integration = z.strictObject({
  identifier: nonEmptyText,
  name: nonEmptyText,
  providerId: nonEmptyText,
  channel: z.enum(allChannels),
  active: flag,
  primary: flag,
  credentials: integrationCredentialsBody.optional(),
  configurations: integrationConfigurationsBody.optional(),
  conditions: z.array(jsonObject).optional(),
});

const step = z.strictObject({
  stepId: nonEmptyText,
  name: nonEmptyText.optional(),
  type: z.enum(allStepTypes),
  active: flag,
  controlValues: jsonObject.optional(),
  issues: described(
    jsonObject.optional(),
    'The issues that the step is meant to have. Without them, an error in the step is rejected.',
  ),
  filters: z.array(stepFilterBody).optional(),
  shouldStopOnFail: flag,
});

const workflow = z.strictObject({
  workflowId: nonEmptyText,
  name: nonEmptyText.optional(),
  ...workflowSettings,
  origin: z.enum(workflowOrigins).optional(),
  severity: z.enum(severities).optional(),
  payloadExample: jsonObject.nullable().optional(),
  preferences: z
    .strictObject({ user: jsonObject.nullable().optional(), default: jsonObject.optional() })
    .optional(),
  steps: z.array(step).optional(),
});

const layout = z.strictObject({
  layoutId: nonEmptyText,
  name: nonEmptyText.optional(),
  isDefault: flag,
  isTranslationEnabled: flag,
  editorType: z.enum(editorTypes).optional(),
  body: described(
    z.string().optional(),
    'HTML with Liquid, or a block document as JSON text; both contain the variable `content`.',
  ),
});

const subscriber = subscriberRow
  .omit({ channels: true })
  .extend({
    credentials: z.record(z.string(), channelCredentialsBody).optional(),
    preferences: z
      .strictObject({
        global: z.strictObject({ channels, schedule: scheduleBody.optional() }).optional(),
        workflows: z.record(z.string(), z.strictObject({ channels })).optional(),
      })
      .optional(),
  });

const duration = z
  .string()
  .refine(isDuration, { error: 'is not a duration such as 30m or 1d12h', abort: true });

/** An event that the sandbox triggers when the state is loaded, with the clock at that time. */
const event = triggerEvent
  .extend({
    ago: described(duration, 'How long before the loading it was triggered.'),
    cancelAfter: described(
      duration.optional(),
      'When its transaction was canceled, from the event on.',
    ),
    markAs: described(
      z.enum(markStates).optional(),
      'The mark of its in-app messages, set when the state is loaded.',
    ),
  })
  .refine(({ ago, cancelAfter = '0' }) => readDuration(cancelAfter) <= readDuration(ago), {
    path: ['cancelAfter'],
    error: 'is longer than ago: the event would be canceled in the future',
  });

const subscription = z.strictObject({
  subscriberId: nonEmptyText,
  identifier: described(
    nonEmptyText.optional(),
    'Unique in the environment; by default made of the topic, the subscriber and the contexts.',
  ),
  name: nonEmptyText.optional(),
  contextKeys: z.array(nonEmptyText).optional(),
  preferences: described(
    z
      .array(
        z.strictObject({
          workflowId: nonEmptyText,
          enabled: flag,
          condition: choiceCondition.optional(),
        }),
      )
      .optional(),
    'Which workflows reach the subscriber through it, always or if a condition in JSON logic is met.',
  ),
});

const topic = z.strictObject({
  key: z
    .string()
    .regex(/^[\w.:@+-]+$/, 'is not a valid topic key: use letters, digits and _ : . - + @'),
  name: z.string().nullable().optional(),
  subscribers: described(
    z.array(z.string()).optional(),
    'Ids of subscribers of the same environment.',
  ),
  subscriptions: described(
    z.array(subscription).optional(),
    'Further subscriptions, with what the plain ones above do not have. Versions before 3.12 have only their subscribers.',
  ),
});

const context = z.strictObject({
  type: nonEmptyText,
  id: nonEmptyText,
  data: jsonObject.optional(),
});

/** The schemas of the lists of an environment, without events. */
export const environmentLists = {
  integrations: integration,
  layouts: layout,
  workflows: workflow,
  subscribers: subscriber,
  topics: topic,
  contexts: context,
};

const environment = z.strictObject({
  name: nonEmptyText,
  identifier: nonEmptyText.optional(),
  type: z.enum(environmentTypes).optional(),
  color: z.string().optional(),
  parent: z.string().optional(),
  integrations: described(
    z.array(integration).optional(),
    'Default: in Development, one active integration for each channel. An empty list means none.',
  ),
  layouts: z.array(layout).optional(),
  workflows: z.array(workflow).optional(),
  subscribers: z.array(subscriber).optional(),
  topics: z.array(topic).optional(),
  contexts: z.array(context).optional(),
  events: described(
    z.array(event).optional(),
    'Past events, which are triggered when the state is loaded.',
  ),
});

function isDuration(text: string): boolean {
  try {
    return readDuration(text) >= 0;
  } catch {
    return false;
  }
}

export const sandboxState = z.strictObject({
  version: z.literal(1, {
    error: ({ input }) =>
      typeof input === 'number' && input > 1
        ? `is ${input}: the file was written by a newer svc; update svc`
        : 'must be 1',
  }),
  compat: described(
    z.enum(modes).optional(),
    'The mode of the sandbox or server that the state was made for.',
  ),
  service: described(
    z.enum(sandboxVersions).optional(),
    'The version of the service that the state was made for, in quotes.',
  ),
  environments: described(
    z.array(environment).min(1, 'must contain the environment Development'),
    'One of them must be Development.',
  ),
});

export type SandboxState = z.input<typeof sandboxState>;
export type EnvironmentState = z.input<typeof environment>;
export type EventState = z.input<typeof event>;
export type LayoutState = z.input<typeof layout>;
export type WorkflowState = z.input<typeof workflow>;
export type SubscriberState = z.input<typeof subscriber>;
export type TopicState = z.input<typeof topic>;

// The JSON Schema of state files, for editors.

export const stateJsonSchema = (): object => ({
  title: 'State file of the svc sandbox',
  ...toJSONSchema(sandboxState, { io: 'input', unrepresentable: 'any' }),
});
