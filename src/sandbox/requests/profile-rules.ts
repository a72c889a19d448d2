// The checks of the service on the profile of a subscriber.
import { isTimeZone } from '../engine/zoned-time.ts';
import * as rules from './rules.ts';
import { type Fields, optional } from './rules.ts';

const { isObject, isString } = rules;

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
