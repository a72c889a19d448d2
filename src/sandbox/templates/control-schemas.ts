// The controls of each step type: the JSON Schema of their values, and the editor's component for each.

import type { JsonObject } from '../../core/objects.ts';
import {
  editorTypes,
  redirectTargets,
  type StepType,
  throttleTypes,
  throttleUnits,
  timeUnits,
} from '../../service/schemas/vocabulary.ts';
import type { WorkflowStep } from '../../service/schemas/workflows.ts';

const text: JsonObject = { type: 'string' };
const nonEmpty: JsonObject = { type: 'string', minLength: 1 };
const positive: JsonObject = { type: 'number', minimum: 1 };
const flag: JsonObject = { type: 'boolean' };
const anyObject: JsonObject = { type: 'object' };
const oneOf = (...values: string[]): JsonObject => ({ type: 'string', enum: values });
const units = oneOf(...timeUnits);
const skip = anyObject;
const extendToSchedule = flag;

const object = (
  properties: Record<string, JsonObject>,
  required?: readonly string[],
): JsonObject => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
  additionalProperties: false,
});

/** A full address, a path that begins with `/`, or a variable. */
const url: JsonObject = {
  type: 'string',
  pattern:
    '^(?:\\{\\{[^}]*\\}\\}.*|(?!mailto:)(?:https?:\\/\\/[^\\s/$.?#][^\\s]*(?:\\{\\{[^}]*\\}\\})*[^\\s]*)|\\/[^\\s]*(?:\\{\\{[^}]*\\}\\})*[^\\s]*)$',
};
const redirect = object({ url, target: oneOf(...redirectTargets) }, ['url', 'target']);
const action = object({ label: text, redirect }, ['label']);

/** An in-app message needs a subject or a body. */
const inApp = (subject: JsonObject, body: JsonObject, required: string) =>
  object(
    {
      subject,
      body,
      skip,
      disableOutputSanitization: flag,
      avatar: url,
      primaryAction: action,
      secondaryAction: action,
      data: anyObject,
      redirect,
    },
    [required],
  );

const delay = (type: string, fields: Record<string, JsonObject>) =>
  object({ skip, type: { type: 'string', const: type }, ...fields, extendToSchedule }, [
    'type',
    ...Object.keys(fields),
  ]);

const dataSchemas: { [Type in StepType]?: JsonObject } = {
  in_app: { anyOf: [inApp(nonEmpty, text, 'subject'), inApp(text, nonEmpty, 'body')] },
  email: object(
    {
      skip,
      body: { type: 'string', default: '' },
      editorType: { ...oneOf(...editorTypes), default: 'block' },
      subject: nonEmpty,
      disableOutputSanitization: flag,
      layoutId: { type: ['string', 'null'] },
    },
    ['subject'],
  ),
  sms: object({ skip, body: text }, ['body']),
  chat: object({ skip, body: text }, ['body']),
  push: object({ skip, subject: text, body: text }, ['subject', 'body']),
  delay: {
    anyOf: [
      delay('regular', { amount: positive, unit: units }),
      delay('timed', { cron: nonEmpty }),
      delay('dynamic', { dynamicKey: nonEmpty }),
    ],
  },
  digest: {
    anyOf: [
      object(
        {
          skip,
          type: oneOf('regular'),
          amount: positive,
          unit: units,
          digestKey: text,
          lookBackWindow: object({ amount: positive, unit: units, extendToSchedule }, [
            'amount',
            'unit',
          ]),
          extendToSchedule,
        },
        ['amount', 'unit'],
      ),
      object({ skip, type: oneOf('timed'), cron: nonEmpty, digestKey: text, extendToSchedule }, [
        'cron',
      ]),
    ],
  },
  throttle: object({
    skip,
    type: { ...oneOf(...throttleTypes), default: 'fixed' },
    amount: positive,
    unit: oneOf(...throttleUnits),
    dynamicKey: nonEmpty,
    threshold: positive,
    throttleKey: text,
  }),
};

/** The editor's component for a control, and its placeholder where it has one. */
type Component = [name: string, placeholder?: unknown];

const query: Component = ['QUERY_EDITOR'];
const schedule: Component = ['EXTEND_TO_SCHEDULE', false];

const components: { [Type in StepType]?: Record<string, Component> } = {
  in_app: {
    body: ['IN_APP_BODY', ''],
    avatar: ['IN_APP_AVATAR', 'https://dashboard.novu.co/images/info.svg'],
    subject: ['IN_APP_PRIMARY_SUBJECT', ''],
    primaryAction: ['IN_APP_BUTTON_DROPDOWN', null],
    secondaryAction: ['IN_APP_BUTTON_DROPDOWN', null],
    redirect: ['URL_TEXT_BOX', { url: { placeholder: '' }, target: { placeholder: '_self' } }],
    skip: query,
    disableOutputSanitization: ['IN_APP_DISABLE_SANITIZATION_SWITCH', false],
    data: ['DATA', null],
  },
  email: {
    body: ['EMAIL_BODY'],
    subject: ['TEXT_INLINE_LABEL'],
    skip: query,
    editorType: ['EMAIL_EDITOR_SELECT', 'block'],
    disableOutputSanitization: ['DISABLE_SANITIZATION_SWITCH', false],
    layoutId: ['LAYOUT_SELECT'],
  },
  sms: { body: ['SMS_BODY'], skip: query },
  chat: { body: ['CHAT_BODY'], skip: query },
  push: { subject: ['PUSH_SUBJECT'], body: ['PUSH_BODY'], skip: query },
  delay: {
    skip: query,
    amount: ['DELAY_AMOUNT', null],
    unit: ['DELAY_UNIT', 'seconds'],
    cron: ['DELAY_CRON', ''],
    dynamicKey: ['DELAY_DYNAMIC_KEY', ''],
    type: ['DELAY_TYPE', 'regular'],
    extendToSchedule: schedule,
  },
  digest: {
    amount: ['DIGEST_AMOUNT', ''],
    unit: ['DIGEST_UNIT', 'seconds'],
    digestKey: ['DIGEST_KEY', ''],
    cron: ['DIGEST_CRON', ''],
    type: ['DIGEST_TYPE', 'regular'],
    extendToSchedule: schedule,
    skip: query,
  },
  throttle: {
    skip: query,
    type: ['THROTTLE_TYPE', 'fixed'],
    amount: ['THROTTLE_WINDOW', null],
    unit: ['THROTTLE_UNIT', 'minutes'],
    dynamicKey: ['THROTTLE_DYNAMIC_KEY', 'payload.timestamp'],
    threshold: ['THROTTLE_THRESHOLD', 1],
    throttleKey: ['THROTTLE_KEY', ''],
  },
};

export function serializeControls(type: StepType): WorkflowStep['controls'] {
  const dataSchema = dataSchemas[type];
  const shown = components[type];
  if (!dataSchema || !shown) {
    return { dataSchema: { type: 'object', required: [], additionalProperties: true } };
  }
  const properties = Object.entries(shown).map(([control, [component, ...placeholder]]) => [
    control,
    { component, ...(placeholder.length > 0 ? { placeholder: placeholder[0] } : {}) },
  ]);
  return {
    dataSchema: { ...dataSchema, $schema: 'http://json-schema.org/draft-07/schema#' },
    uiSchema: { group: type.toUpperCase(), properties: Object.fromEntries(properties) },
  };
}
