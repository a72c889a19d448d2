// The controls of each step type: a JSON Schema of their values, and the editor component of each.
import type { WorkflowStep } from '../../api/schemas/workflows.ts';
import type { StepType } from '../store/workflows.ts';

interface Control {
  schema: Record<string, unknown>;
  component: string;
}

type Component = [component: string, schema?: Record<string, unknown>];

const text = { type: 'string' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const object = { type: 'object' };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
const units = oneOf('seconds', 'minutes', 'hours', 'days', 'weeks', 'months');

const createControls = (table: Record<string, Component>): Record<string, Control> =>
  Object.fromEntries(
    Object.entries(table).map(([name, [component, schema = text]]) => [
      name,
      { component, schema },
    ]),
  );

const skip: Component = ['QUERY_EDITOR', object];

interface StepControls {
  group: string;
  controls: Record<string, Control>;
  required?: readonly string[];
}

const controlsByType: { [Type in StepType]?: StepControls } = {
  in_app: {
    group: 'IN_APP',
    controls: createControls({
      skip,
      subject: ['IN_APP_PRIMARY_SUBJECT'],
      body: ['IN_APP_BODY'],
      avatar: ['IN_APP_AVATAR'],
      primaryAction: ['IN_APP_BUTTON_DROPDOWN', object],
      secondaryAction: ['IN_APP_BUTTON_DROPDOWN', object],
      redirect: ['URL_TEXT_BOX', object],
      disableOutputSanitization: ['IN_APP_DISABLE_SANITIZATION_SWITCH', boolean],
      data: ['DATA', object],
    }),
  },
  email: {
    group: 'EMAIL',
    controls: createControls({
      skip,
      subject: ['TEXT_INLINE_LABEL'],
      body: ['EMAIL_BODY'],
      editorType: ['EMAIL_EDITOR_SELECT', oneOf('block', 'html')],
      disableOutputSanitization: ['DISABLE_SANITIZATION_SWITCH', boolean],
      layoutId: ['LAYOUT_SELECT', { type: ['string', 'null'] }],
    }),
    required: ['subject', 'body'],
  },
  sms: { group: 'SMS', controls: createControls({ skip, body: ['SMS_BODY'] }) },
  chat: { group: 'CHAT', controls: createControls({ skip, body: ['CHAT_BODY'] }) },
  push: {
    group: 'PUSH',
    controls: createControls({ skip, subject: ['PUSH_SUBJECT'], body: ['PUSH_BODY'] }),
  },
  delay: {
    group: 'DELAY',
    controls: createControls({
      skip,
      type: ['DELAY_TYPE', oneOf('regular', 'timed')],
      amount: ['DELAY_AMOUNT', number],
      unit: ['DELAY_UNIT', units],
      cron: ['DELAY_CRON'],
      extendToSchedule: ['EXTEND_TO_SCHEDULE', boolean],
    }),
  },
  digest: {
    group: 'DIGEST',
    controls: createControls({
      skip,
      type: ['DIGEST_TYPE', oneOf('regular', 'timed')],
      amount: ['DIGEST_AMOUNT', number],
      unit: ['DIGEST_UNIT', units],
      lookBackWindow: ['DIGEST_AMOUNT', object],
      digestKey: ['DIGEST_KEY'],
      cron: ['DIGEST_CRON'],
      extendToSchedule: ['EXTEND_TO_SCHEDULE', boolean],
    }),
  },
  throttle: {
    group: 'THROTTLE',
    controls: createControls({
      skip,
      type: ['THROTTLE_TYPE', oneOf('fixed', 'dynamic')],
      amount: ['THROTTLE_WINDOW', number],
      unit: ['THROTTLE_UNIT', oneOf('minutes', 'hours', 'days')],
      dynamicKey: ['THROTTLE_DYNAMIC_KEY'],
      threshold: ['THROTTLE_THRESHOLD', number],
      throttleKey: ['THROTTLE_KEY'],
    }),
  },
};

export function serializeControls(type: StepType): WorkflowStep['controls'] {
  const stepControls = controlsByType[type];
  if (!stepControls) {
    return { dataSchema: { type: 'object', properties: {}, additionalProperties: true } };
  }
  const { group, controls, required } = stepControls;
  return {
    dataSchema: {
      type: 'object',
      properties: mapControls(controls, ({ schema }) => schema),
      ...(required ? { required } : {}),
      additionalProperties: false,
    },
    uiSchema: { group, properties: mapControls(controls, ({ component }) => ({ component })) },
  };
}

const mapControls = <To>(controls: Record<string, Control>, to: (control: Control) => To) =>
  Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, to(control)]));
