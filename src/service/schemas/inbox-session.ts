// The session of an inbox client: an application asks for it in the name of one subscriber.
import { z } from 'zod';
import { checked, readFields } from '../rules/checked.ts';
import { contextMessage } from '../rules/event-contexts.ts';
import { isDefined, isString, nested, optional, required, text } from '../rules/rules.ts';
import { scheduleMember } from './preferences.ts';
import { jsonObject } from './values.ts';

const textMember = checked(z.string().optional(), text());

const sessionSubscriber = z.strictObject({
  id: textMember,
  subscriberId: checked(z.string(), required(isDefined(), isString())),
  firstName: textMember,
  lastName: textMember,
  email: textMember,
  phone: textMember,
  avatar: textMember,
  data: jsonObject.optional(),
  timezone: textMember,
  locale: textMember,
});

/** Body of POST `/v1/inbox/session`. The older `subscriberId` names a subscriber without a profile. */
export const sessionBody = z.strictObject({
  applicationIdentifier: textMember,
  subscriberId: textMember,
  subscriberHash: textMember,
  subscriber: checked(sessionSubscriber.optional(), nested(readFields(sessionSubscriber))),
  defaultSchedule: scheduleMember,
  context: checked(jsonObject.optional(), optional(contextMessage)),
  contextHash: textMember,
});

export type SessionBody = z.output<typeof sessionBody>;
