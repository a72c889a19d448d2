// Rules for the fields of requests, with the messages of the service.

import { isObject as isObjectValue } from '../../core/objects.ts';
import { existsIn, type Lifetime } from '../versions.ts';
import { objectIdPattern } from './formats.ts';

export interface RuleContext {
  /** The object that has the field. */
  parent: object;
  /** The version of the service. */
  version: string;
}

/** Returns the message for an invalid value. `name` is the field as the message names it. */
export type Rule = (value: unknown, name: string, context: RuleContext) => string | undefined;

export interface Field {
  /** In the order in which the service lists their messages. */
  rules: readonly Rule[];
  /** Absent and null values are checked, too; with `null`, only null ones; with versions, only in these. */
  isRequired?: boolean | 'null' | Lifetime;
  /** Fields of an object, or of each object of a list. Other values are invalid. */
  fields?: Fields;
  /** The message for a value that is not an object says that each value of a list must be one. */
  isList?: boolean;
  /** Any text is valid, too. */
  isTextAllowed?: boolean;
  /** The versions that check the field; default: all. */
  versions?: Lifetime;
}

export type Fields = Record<string, Field>;

export const rule =
  (isValid: (value: unknown) => boolean, message: (name: string) => string): Rule =>
  (value, name) =>
    isValid(value) ? undefined : message(name);

/** A rule of some versions of the service. */
export const inVersions =
  (lifetime: Lifetime, check: Rule): Rule =>
  (value, name, context) =>
    existsIn(context.version, lifetime) ? check(value, name, context) : undefined;

/** One rule since a version, and another one before. */
export const sinceVersion =
  (since: string, later: Rule, earlier: Rule): Rule =>
  (value, name, context) =>
    (existsIn(context.version, { since }) ? later : earlier)(value, name, context);

export const isDefined = (message?: string) =>
  rule(
    (value) => value !== undefined && value !== null,
    (name) => message ?? `${name} should not be null or undefined`,
  );
export const isString = (message?: string) =>
  rule(
    (value) => typeof value === 'string',
    (name) => message ?? `${name} must be a string`,
  );
export const isNotEmpty = rule(
  (value) => value !== undefined && value !== null && value !== '',
  (name) => `${name} should not be empty`,
);
export const isBoolean = rule(
  (value) => typeof value === 'boolean',
  (name) => `${name} must be a boolean value`,
);
export const isObject = rule(isObjectValue, (name) => `${name} must be an object`);
export const isArray = rule(Array.isArray, (name) => `${name} must be an array`);
export const isInteger = rule(
  (value) => Number.isInteger(value),
  (name) => `${name} must be an integer number`,
);
export const isNumber = rule(
  (value) => Number.isFinite(value),
  (name) => `${name} must be a number conforming to the specified constraints`,
);
export const min = (least: number) =>
  rule(
    (value) => typeof value === 'number' && value >= least,
    (name) => `${name} must not be less than ${least}`,
  );
export const max = (greatest: number) =>
  rule(
    (value) => typeof value === 'number' && value <= greatest,
    (name) => `${name} must not be greater than ${greatest}`,
  );
export const hasItems = (message?: string) =>
  rule(
    (value) => Array.isArray(value) && value.length > 0,
    (name) => message ?? `${name} should not be empty`,
  );
export const hasAtMost = (count: number, message?: string) =>
  rule(
    (value) => Array.isArray(value) && value.length <= count,
    (name) => message ?? `${name} must contain no more than ${count} elements`,
  );
export const isOneOf = (values: readonly string[], message?: string) =>
  rule(
    (value) => typeof value === 'string' && values.includes(value),
    (name) => message ?? `${name} must be one of the following values: ${values.join(', ')}`,
  );
export const areOneOf = (values: readonly string[]) =>
  rule(
    (list) => toList(list).every((value) => values.includes(String(value))),
    (name) => `each value in ${name} must be one of the following values: ${values.join(', ')}`,
  );
export const areObjectIds = rule(
  (list) => toList(list).every(isObjectIdValue),
  (name) => `each value in ${name} must be a mongodb id`,
);
export const areStrings = rule(
  (list) => toList(list).every((value) => typeof value === 'string'),
  (name) => `each value in ${name} must be a string`,
);
const textLength = (value: unknown) => (typeof value === 'string' ? value.length : undefined);
export const hasAtMostCharacters = (count: number) =>
  rule(
    (value) => (textLength(value) ?? Number.POSITIVE_INFINITY) <= count,
    (name) => `${name} must be shorter than or equal to ${count} characters`,
  );
export const hasAtLeastCharacters = (count: number) =>
  rule(
    (value) => (textLength(value) ?? -1) >= count,
    (name) => `${name} must be longer than or equal to ${count} characters`,
  );

/** One message, for a value that is too long, too short, or without a length. */
export const hasLength =
  (least: number, most: number): Rule =>
  (value, name) => {
    const length = textLength(value);
    if (length !== undefined && length >= least && length <= most) return undefined;
    const longer = `${name} must be longer than or equal to ${least}`;
    const shorter = `shorter than or equal to ${most} characters`;
    const items = Array.isArray(value) ? value.length : length;
    if (!value || (items !== undefined && items < least)) return `${longer} characters`;
    return items !== undefined && items > most
      ? `${name} must be ${shorter}`
      : `${longer} and ${shorter}`;
  };
export const isObjectId = (message?: string) =>
  rule(isObjectIdValue, (name) => message ?? notObjectId(name));
export const notObjectId = (name: string): string => `${name} must be a mongodb id`;

/** A text with a format. */
export const isText = (isValid: (text: string) => boolean, message: (name: string) => string) =>
  rule((value) => typeof value === 'string' && isValid(value), message);
export const matches = (pattern: RegExp, message: (name: string) => string) =>
  isText((text) => pattern.test(text), message);

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

export function isObjectIdValue(value: unknown): boolean {
  return typeof value === 'string' && objectIdPattern.test(value);
}

/** A field that may be a string of any content. */
export const text = (): Field => optional(isString());
export const optional = (...rules: Rule[]): Field => ({ rules });
export const required = (...rules: Rule[]): Field => ({ rules, isRequired: true });
export const nested = (fields: Fields, ...rules: Rule[]): Field => ({ rules, fields });
