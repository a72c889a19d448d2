// The checks of the service on the profile and the credentials of a subscriber.
import { channelProviders } from '../schemas/providers.ts';
import { isTimeZone } from '../zoned-time.ts';
import { isEmail, isLocale } from './formats.ts';
import * as rules from './rules.ts';
import { type Fields, nested, optional, type Rule, required } from './rules.ts';

const { isArray, isDefined, isObject, isString } = rules;

const isText = (isValid: (text: string) => boolean, message: (name: string) => string) =>
  rules.satisfies((value) => typeof value === 'string' && isValid(value), message);

export const profileFields: Fields = {
  firstName: optional(isString()),
  lastName: optional(isString()),
  email: optional(isText(isEmail, (name) => `${name} must be an email`)),
  phone: optional(isString()),
  avatar: optional(isString()),
  locale: optional(isText(isLocale, (name) => `${name} must be locale`)),
  timezone: optional(isText(isTimeZone, (name) => `${name} must be a valid IANA time-zone`)),
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
  subscriberId: required(isDefined(), isNotEmptyId, isString()),
  channels: { ...nested(channel, isArray), isList: true },
  ...profileFields,
};

/** A subscriber that is created on its own: blanks around its id are removed. */
export const createdSubscriberFields: Fields = {
  subscriberId: required(isDefined(), isNotBlankId, isString()),
  ...profileFields,
};

/** The credentials of one provider. */
export const credentialFields = (...checks: Rule[]): Fields => ({
  providerId: required(
    isDefined(),
    rules.isOneOf(channelProviders, 'providerId must be a valid provider ID'),
  ),
  integrationIdentifier: optional(isString()),
  credentials: required(isDefined(), ...checks),
});
