// The controls of each step type: the JSON Schema of their values, and the editor's component for each.

import type { JsonObject } from '../../core/objects.ts';
import { limits } from '../../service/limits.ts';
import {
  editorTypes,
  httpMethods,
  redirectTargets,
  type StepType,
  throttleTypes,
  throttleUnits,
  timeUnits,
} from '../../service/schemas/vocabulary.ts';
import type { WorkflowStep } from '../../service/schemas/workflows.ts';
import type { Dialect } from '../store/dialect.ts';

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
const urlPattern =
  '^(?:\\{\\{[^}]*\\}\\}.*|(?!mailto:)(?:https?:\\/\\/[^\\s/$.?#][^\\s]*(?:\\{\\{[^}]*\\}\\})*[^\\s]*)|\\/[^\\s]*(?:\\{\\{[^}]*\\}\\})*[^\\s]*)$';
/** The same without other braces, and without a path that begins with `//`. */
export const laterUrlPattern =
  '^(?:\\{\\{[^}]*\\}\\}.*|(?!mailto:)(?:https?:\\/\\/[^\\s/$.?#][^\\s{}]*(?:\\{\\{[^}]*\\}\\}[^\\s{}]*)*)|\\/(?!\\/)[^\\s{}]*(?:\\{\\{[^}]*\\}\\}[^\\s{}]*)*)$';

/** An in-app message needs a subject or a body. */
function inApp(pattern: string): JsonObject {
  const url: JsonObject = { type: 'string', pattern };
  const redirect = object({ url, target: oneOf(...redirectTargets) }, ['url', 'target']);
  const action = object({ label: text, redirect }, ['label']);
  const variant = (subject: JsonObject, body: JsonObject, required: string) =>
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
  return { anyOf: [variant(nonEmpty, text, 'subject'), variant(text, nonEmpty, 'body')] };
}

const delay = (type: string, fields: Record<string, JsonObject>) =>
  object({ skip, type: { type: 'string', const: type }, ...fields, extendToSchedule }, [
    'type',
    ...Object.keys(fields),
  ]);

const emailControls: Record<string, JsonObject> = {
  skip,
  body: { type: 'string', default: '' },
  editorType: { ...oneOf(...editorTypes), default: 'block' },
  subject: nonEmpty,
  disableOutputSanitization: flag,
  layoutId: { type: ['string', 'null'] },
};

const dataSchemas: { [Type in StepType]?: JsonObject } = {
  in_app: inApp(urlPattern),
  email: object(emailControls, ['subject']),
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

const pairs = (maxItems: number): JsonObject => ({
  type: 'array',
  items: object({ key: nonEmpty, value: nonEmpty }, ['key', 'value']),
  maxItems,
});
const openObject: JsonObject = { type: 'object', additionalProperties: true };

const httpRequest: JsonObject = {
  ...object(
    {
      skip: openObject,
      method: oneOf(...httpMethods),
      url: {
        type: 'string',
        pattern:
          '^(?:\\{\\{[^}]*\\}\\}.*|https?:\\/\\/[^\\s/$.?#][^\\s{}]*(?:\\{\\{[^}]*\\}\\}[^\\s{}]*)*)$',
        minLength: 1,
        maxLength: limits.httpUrl,
      },
      headers: pairs(limits.httpHeaders),
      body: { oneOf: [{ type: 'string', maxLength: limits.httpBody }, pairs(limits.httpFields)] },
      responseBodySchema: {
        ...openObject,
        properties: {
          type: text,
          properties: openObject,
          required: { type: 'array', items: text },
        },
      },
      enforceSchemaValidation: flag,
      continueOnFailure: flag,
      timeout: { type: 'number', minimum: limits.httpTimeout.min, maximum: limits.httpTimeout.max },
    },
    ['method', 'url'],
  ),
};

/** The values that later versions have besides, or instead. */
const laterSchemas: typeof dataSchemas = {
  in_app: inApp(laterUrlPattern),
  email: object(
    {
      ...emailControls,
      from: object({ email: text, name: text }),
      useProviderDefaults: flag,
      replyTo: text,
      preheader: { type: 'string', maxLength: limits.preheader },
    },
    ['subject'],
  ),
  tool: object({ skip, body: text }, ['body']),
  http_request: httpRequest,
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
  tool: { body: ['TOOL_BODY'], skip: query },
  http_request: {
    skip: query,
    method: ['DESTINATION_METHOD', 'POST'],
    url: ['DESTINATION_URL', 'https://api.example.com/endpoint'],
    headers: ['DESTINATION_HEADERS', null],
    body: ['DESTINATION_BODY', null],
    responseBodySchema: ['DESTINATION_RESPONSE_BODY_SCHEMA', null],
    enforceSchemaValidation: ['DESTINATION_ENFORCE_SCHEMA_VALIDATION', false],
    continueOnFailure: ['DESTINATION_CONTINUE_ON_FAILURE', false],
    timeout: ['DESTINATION_TIMEOUT', limits.httpTimeout.default],
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

export function serializeControls(
  type: StepType,
  { hasLaterSteps }: Pick<Dialect, 'hasLaterSteps'>,
): WorkflowStep['controls'] {
  const dataSchema = (hasLaterSteps ? laterSchemas[type] : undefined) ?? dataSchemas[type];
  const controls = components[type];
  if (!dataSchema || !controls) {
    return { dataSchema: { type: 'object', required: [], additionalProperties: true } };
  }
  const properties = Object.entries(controls).map(([control, [component, ...placeholder]]) => [
    control,
    { component, ...(placeholder.length > 0 ? { placeholder: placeholder[0] } : {}) },
  ]);
  // The service made the other schemas from code.
  const $schema = 'http://json-schema.org/draft-07/schema#';
  return {
    dataSchema: type === 'http_request' ? dataSchema : { ...dataSchema, $schema },
    uiSchema: { group: type.toUpperCase(), properties: Object.fromEntries(properties) },
  };
}
