// What can be set in a step of each type: a JSON Schema of the values, and how an editor
// shows them.
import type { WorkflowStep } from '../../api/schemas/workflows.ts';
import type { StepType } from '../store/workflows.ts';

interface Control {
  schema: Record<string, unknown>;
  component: string;
}

type Component = [component: string, schema?: Record<string, unknown>];

const text = { type: 'string' };
const number = { type: 'number' };
const flag = { type: 'boolean' };
const object = { type: 'object' };
const word = (...words: string[]) => ({ type: 'string', enum: words });
const units = word('seconds', 'minutes', 'hours', 'days', 'weeks', 'months');

const controlsOf = (table: Record<string, Component>): Record<string, Control> =>
  Object.fromEntries(
    Object.entries(table).map(([name, [component, schema = text]]) => [
      name,
      { component, schema },
    ]),
  );

const skip: Component = ['QUERY_EDITOR', object];

interface Form {
  group: string;
  controls: Record<string, Control>;
  required?: readonly string[];
}

const forms: { [Type in StepType]?: Form } = {
  in_app: {
    group: 'IN_APP',
    controls: controlsOf({
      skip,
      subject: ['IN_APP_PRIMARY_SUBJECT'],
      body: ['IN_APP_BODY'],
      avatar: ['IN_APP_AVATAR'],
      primaryAction: ['IN_APP_BUTTON_DROPDOWN', object],
      secondaryAction: ['IN_APP_BUTTON_DROPDOWN', object],
      redirect: ['URL_TEXT_BOX', object],
      disableOutputSanitization: ['IN_APP_DISABLE_SANITIZATION_SWITCH', flag],
      data: ['DATA', object],
    }),
  },
  email: {
    group: 'EMAIL',
    controls: controlsOf({
      skip,
      subject: ['TEXT_INLINE_LABEL'],
      body: ['EMAIL_BODY'],
      editorType: ['EMAIL_EDITOR_SELECT', word('block', 'html')],
      disableOutputSanitization: ['DISABLE_SANITIZATION_SWITCH', flag],
      layoutId: ['LAYOUT_SELECT', { type: ['string', 'null'] }],
    }),
    required: ['subject', 'body'],
  },
  sms: { group: 'SMS', controls: controlsOf({ skip, body: ['SMS_BODY'] }) },
  chat: { group: 'CHAT', controls: controlsOf({ skip, body: ['CHAT_BODY'] }) },
  push: {
    group: 'PUSH',
    controls: controlsOf({ skip, subject: ['PUSH_SUBJECT'], body: ['PUSH_BODY'] }),
  },
  delay: {
    group: 'DELAY',
    controls: controlsOf({
      skip,
      type: ['DELAY_TYPE', word('regular', 'timed')],
      amount: ['DELAY_AMOUNT', number],
      unit: ['DELAY_UNIT', units],
      cron: ['DELAY_CRON'],
      extendToSchedule: ['EXTEND_TO_SCHEDULE', flag],
    }),
  },
  digest: {
    group: 'DIGEST',
    controls: controlsOf({
      skip,
      type: ['DIGEST_TYPE', word('regular', 'timed')],
      amount: ['DIGEST_AMOUNT', number],
      unit: ['DIGEST_UNIT', units],
      lookBackWindow: ['DIGEST_AMOUNT', object],
      digestKey: ['DIGEST_KEY'],
      cron: ['DIGEST_CRON'],
      extendToSchedule: ['EXTEND_TO_SCHEDULE', flag],
    }),
  },
  throttle: {
    group: 'THROTTLE',
    controls: controlsOf({
      skip,
      type: ['THROTTLE_TYPE', word('fixed', 'dynamic')],
      amount: ['THROTTLE_WINDOW', number],
      unit: ['THROTTLE_UNIT', word('minutes', 'hours', 'days')],
      dynamicKey: ['THROTTLE_DYNAMIC_KEY'],
      threshold: ['THROTTLE_THRESHOLD', number],
      throttleKey: ['THROTTLE_KEY'],
    }),
  },
};

export function controlForms(type: StepType): WorkflowStep['controls'] {
  const form = forms[type];
  if (!form) return { dataSchema: { type: 'object', properties: {}, additionalProperties: true } };
  const { group, controls, required } = form;
  return {
    dataSchema: {
      type: 'object',
      properties: mapped(controls, ({ schema }) => schema),
      ...(required ? { required } : {}),
      additionalProperties: false,
    },
    uiSchema: { group, properties: mapped(controls, ({ component }) => ({ component })) },
  };
}

const mapped = <To>(controls: Record<string, Control>, to: (control: Control) => To) =>
  Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, to(control)]));
