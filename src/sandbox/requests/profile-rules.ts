// The checks of the service on the profile of a subscriber.
import { isTimeZone } from '../engine/zoned-time.ts';
import * as rules from './rules.ts';
import { type Fields, nested, optional, required } from './rules.ts';

const { isArray, isDefined, isObject, isString } = rules;

const isTimeZoneName = (value: unknown) => typeof value === 'string' && isTimeZone(value);

export const profileFields: Fields = {
  firstName: optional(isString()),
  lastName: optional(isString()),
  email: optional(
    rules.matches(/^[^\s@<>]+@[^\s@<>.]+(?:\.[^\s@<>.]+)+$/, (name) => `${name} must be an email`),
  ),
  phone: optional(isString()),
  avatar: optional(isString()),
  locale: optional(
    rules.matches(
      /^[A-Za-z]{2,4}(?:[_-](?:[A-Za-z]{4}|[0-9]{3}))?(?:[_-](?:[A-Za-z]{2}|[0-9]{3}))?$/,
      (name) => `${name} must be locale`,
    ),
  ),
  timezone: optional(
    rules.satisfies(isTimeZoneName, (name) => `${name} must be a valid IANA time-zone`),
  ),
  data: optional(isObject),
};

const isNotEmptyId = rules.satisfies(
  (value) => value !== undefined && value !== null && value !== '',
  () => 'SubscriberId is required',
);
const isNotBlankId = rules.satisfies(
  (value) =>
    typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null,
  () => 'SubscriberId is required',
);

const channel: Fields = {
  credentials: {
    ...nested({ webhookUrl: optional(isString()), deviceTokens: optional(isArray) }),
    isRequired: 'null',
  },
};

/** A subscriber of an import or of an event. */
export const subscriberFields: Fields = {
  ...profileFields,
  subscriberId: required(isDefined(), isNotEmptyId, isString()),
  channels: { ...nested(channel, isArray), isList: true },
};

/** A subscriber that is created on its own: blanks around its id are removed. */
export const createdSubscriberFields: Fields = {
  ...profileFields,
  subscriberId: required(isDefined(), isNotBlankId, isString()),
};
