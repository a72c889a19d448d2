// Control values for each step type (specification: Resources, Workflow step).
// Unknown fields are accepted, and so are values that the specification does not define.
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { jsonObject } from './values.ts';
import {
  editorTypes,
  redirectTargets,
  throttleTypes,
  throttleUnits,
  timeUnits,
  timingTypes,
} from './vocabulary.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
const amount = z.number().optional();
const unit = openEnum(timeUnits).optional();

/** A JSON Logic condition that decides whether the step is skipped. */
const skip = jsonObject.optional();

const redirect = z.looseObject({ url: text, target: openEnum(redirectTargets).optional() });
const action = z.looseObject({ label: text, redirect: redirect.optional() });

/** At least one of `body` and `subject` is set. */
export const inAppControls = z.looseObject({
  skip,
  body: text,
  subject: text,
  avatar: text,
  primaryAction: action.nullable().optional(),
  secondaryAction: action.nullable().optional(),
  redirect: redirect.nullable().optional(),
  disableOutputSanitization: flag,
  data: jsonObject.nullable().optional(),
});

/** If `layoutId` is null, the email has no layout; if it is absent, it has the default layout. */
export const emailControls = z.looseObject({
  skip,
  subject: z.string(),
  body: z.string(),
  editorType: openEnum(editorTypes).optional(),
  disableOutputSanitization: flag,
  layoutId: z.string().nullable().optional(),
});

export const smsControls = z.looseObject({ skip, body: text });
export const chatControls = z.looseObject({ skip, body: text });
export const pushControls = z.looseObject({ skip, subject: text, body: text });

export const delayControls = z.looseObject({
  skip,
  type: openEnum(timingTypes).optional(),
  amount,
  unit,
  cron: text,
  extendToSchedule: flag,
});

export const digestControls = z.looseObject({
  skip,
  type: openEnum(timingTypes).optional(),
  amount,
  unit,
  lookBackWindow: z.looseObject({ amount, unit }).optional(),
  cron: text,
  digestKey: text,
  extendToSchedule: flag,
});

export const throttleControls = z.looseObject({
  skip,
  type: openEnum(throttleTypes).optional(),
  amount,
  unit: openEnum(throttleUnits).optional(),
  dynamicKey: text,
  threshold: z.number().optional(),
  throttleKey: text,
});

export const customControls = z.looseObject({ custom: jsonObject.optional() });

/** The control values of each step type that has them. */
export const controlsByStepType = {
  in_app: inAppControls,
  email: emailControls,
  sms: smsControls,
  chat: chatControls,
  push: pushControls,
  digest: digestControls,
  delay: delayControls,
  throttle: throttleControls,
  custom: customControls,
};

export type InAppControls = z.output<typeof inAppControls>;
export type EmailControls = z.output<typeof emailControls>;
export type SmsControls = z.output<typeof smsControls>;
export type ChatControls = z.output<typeof chatControls>;
export type PushControls = z.output<typeof pushControls>;
export type DelayControls = z.output<typeof delayControls>;
export type DigestControls = z.output<typeof digestControls>;
export type ThrottleControls = z.output<typeof throttleControls>;
export type CustomControls = z.output<typeof customControls>;
