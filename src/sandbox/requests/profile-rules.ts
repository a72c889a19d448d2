// The checks of the service on the profile of a subscriber.
import * as rules from './rules.ts';
import { type Fields, optional } from './rules.ts';

const { isObject, isString } = rules;

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

function isTimeZoneName(value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return true;
  } catch {
    return false;
  }
}
