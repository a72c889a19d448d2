// The layout of a step's controls in an editor (specification: Resources, Workflow step).
import { z } from 'zod';
import { openEnum } from './open-enum.ts';
import { jsonObject } from './values.ts';

const uiGroups = [
  'IN_APP',
  'EMAIL',
  'DIGEST',
  'DELAY',
  'THROTTLE',
  'SMS',
  'CHAT',
  'PUSH',
  'SKIP',
  'LAYOUT',
] as const;

const uiComponents = [
  'EMAIL_EDITOR_SELECT',
  'LAYOUT_SELECT',
  'BLOCK_EDITOR',
  'EMAIL_BODY',
  'TEXT_FULL_LINE',
  'TEXT_INLINE_LABEL',
  'IN_APP_BODY',
  'IN_APP_AVATAR',
  'IN_APP_PRIMARY_SUBJECT',
  'IN_APP_BUTTON_DROPDOWN',
  'IN_APP_DISABLE_SANITIZATION_SWITCH',
  'DISABLE_SANITIZATION_SWITCH',
  'URL_TEXT_BOX',
  'DIGEST_AMOUNT',
  'DIGEST_UNIT',
  'DIGEST_TYPE',
  'DIGEST_KEY',
  'DIGEST_CRON',
  'DELAY_AMOUNT',
  'DELAY_UNIT',
  'DELAY_TYPE',
  'DELAY_CRON',
  'DELAY_DYNAMIC_KEY',
  'THROTTLE_TYPE',
  'THROTTLE_WINDOW',
  'THROTTLE_UNIT',
  'THROTTLE_DYNAMIC_KEY',
  'THROTTLE_THRESHOLD',
  'THROTTLE_KEY',
  'EXTEND_TO_SCHEDULE',
  'SMS_BODY',
  'CHAT_BODY',
  'PUSH_BODY',
  'PUSH_SUBJECT',
  'QUERY_EDITOR',
  'DATA',
  'LAYOUT_EMAIL',
] as const;

const placeholderValue = z.union([z.string(), z.number(), z.boolean(), jsonObject]);

/** One control. A group of controls has nested properties. */
const uiProperty = z.looseObject({
  placeholder: z
    .union([placeholderValue, z.array(placeholderValue)])
    .nullable()
    .optional(),
  component: openEnum(uiComponents),
  get properties(): z.ZodOptional<z.ZodRecord<z.ZodString, typeof uiProperty>> {
    return z.record(z.string(), uiProperty).optional();
  },
});

export const uiSchema = z.looseObject({
  group: openEnum(uiGroups).optional(),
  properties: z.record(z.string(), uiProperty).optional(),
});
