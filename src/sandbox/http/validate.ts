// Validates the query and body of a request as the service does, with its messages. Unknown members are left out.

import { z } from 'zod';
import type { JsonObject } from '../../core/objects.ts';
import {
  findConversion,
  findSecondStage,
  readFields,
  toList,
} from '../../service/rules/checked.ts';
import type { Field, Fields } from '../../service/rules/rules.ts';
import { existsIn } from '../../service/versions.ts';
import type { Dialect } from '../store/dialect.ts';
import { checkFields, generalError, type HttpError } from './http-error.ts';

/** Returns the value without unknown members. Throws the errors of the service. */
export function validate(schema: z.ZodType, value: unknown, dialect: Dialect): unknown {
  if (schema instanceof z.ZodObject) {
    const messages = listMessages(findErrors(readFields(schema), value, dialect.service));
    if (messages.length > 0) throw generalError(messages);
    for (const [command, fields, checked] of findSecondStage(schema)(value))
      checkFields(dialect, command, messagesByPath(findErrors(fields, checked, dialect.service)));
  }
  return withoutUnknown(schema, value);
}

/** The error for a value that the service does not check and cannot handle; undefined for other values. */
export function uncheckedError(schema: z.ZodType, value: unknown): HttpError | undefined {
  const issues = schema.safeParse(value).error?.issues ?? [];
  if (issues.length === 0) return undefined;
  return generalError(
    issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' ')),
  );
}

/** The service ignores members that it does not know. */
function withoutUnknown(schema: z.core.$ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return withoutUnknown(schema.unwrap(), value);
  if (Array.isArray(value))
    return schema instanceof z.ZodArray
      ? value.map((item: unknown) => withoutUnknown(schema.element, item))
      : value;
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return value;
  const isStrict = schema.def.catchall instanceof z.ZodNever;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      const memberSchema: z.core.$ZodType | undefined = schema.shape[name];
      if (memberSchema) return [[name, withoutUnknown(memberSchema, member)]];
      return isStrict ? [] : [[name, member]];
    }),
  );
}

// Applies the rules of fields to a value, and lists what they found in the two forms of the service: one list of
// messages, or messages by path.

interface FieldError {
  /** The name of a field, or the position of an item. */
  name: string;
  value: unknown;
  messages: string[];
  /** Errors of nested fields, or of the items of a list. */
  inner: FieldError[];
}

export type ErrorsByPath = Record<string, { messages: string[]; value?: unknown }>;

/** Returns an error for each field that is invalid, or that has invalid nested fields. */
export function findErrors(fields: Fields, value: unknown, version: string): FieldError[] {
  const parent = typeof value === 'object' && value !== null ? value : {};
  const context = { parent, version };
  return Object.entries(fields).flatMap(([name, field]) => {
    const member: unknown = Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
    if (isSkipped(field, member, version)) return [];
    const messages = [
      ...field.rules.flatMap((check) => check(member, name, context) ?? []),
      ...(member === undefined ? [] : notNested(field, member, name)),
    ];
    return toError(name, member, messages, innerErrors(field, member, name, version));
  });
}

/** An invalid item of a list is reported with the name of the list. */
function innerErrors(field: Field, value: unknown, name: string, version: string): FieldError[] {
  if (!field.fields || !isObjectOrList(value)) return [];
  if (!Array.isArray(value)) return findErrors(field.fields, value, version);
  return value.flatMap((item: unknown, index) => {
    const inner = innerErrors(field, item, name, version);
    return toError(String(index), item, notNested(field, item, name), inner);
  });
}

function toError(name: string, value: unknown, messages: string[], inner: FieldError[]) {
  return messages.length + inner.length === 0 ? [] : [{ name, value, messages, inner }];
}

const isObjectOrList = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

function notNested({ fields, isList }: Field, value: unknown, name: string): string[] {
  if (fields === undefined || isObjectOrList(value)) return [];
  return [
    `${isList ? 'each value in ' : ''}nested property ${name} must be either object or array`,
  ];
}

function isSkipped(
  { isRequired, isTextAllowed, versions = {} }: Field,
  member: unknown,
  version: string,
): boolean {
  if (!existsIn(version, versions)) return true;
  if (isTextAllowed && typeof member === 'string') return true;
  if (member !== undefined && member !== null) return false;
  if (isRequired === 'null') return member === undefined;
  return typeof isRequired === 'object' ? !existsIn(version, isRequired) : !isRequired;
}

/** Messages of nested fields start with their path, and replace the messages of the outermost field. */
const listMessages = (errors: readonly FieldError[]): string[] =>
  errors.flatMap((error) =>
    error.inner.length === 0 ? error.messages : listInner(error.inner, `${error.name}.`),
  );

const listInner = (errors: readonly FieldError[], path: string): string[] =>
  errors.flatMap(({ name, messages, inner }) => [
    ...listInner(inner, `${path}${name}.`),
    ...messages.map((message) => `${path}${message}`),
  ]);

/** A value that is absent is left out. */
export const messagesByPath = (errors: readonly FieldError[], path = ''): ErrorsByPath =>
  Object.assign(
    {},
    ...errors.map(({ name, value, messages, inner }) => ({
      ...(messages.length === 0
        ? {}
        : { [`${path}${name}`]: { messages, ...(value === undefined ? {} : { value }) } }),
      ...messagesByPath(inner, `${path}${name}.`),
    })),
  );

// Reads the query of a request as the service does: repeated keys and `key[]` are lists, numbers and flags are
// converted, and values that a listing ignores are left out.

/** `tags=a&tags=b` and `tags[]=a` are lists, and `tags[x]=a` is an object; a single plain value is text. */
export function parseQuery(parameters: URLSearchParams): JsonObject {
  const query: JsonObject = Object.create(null);
  for (const key of new Set(parameters.keys())) {
    const [, name = key, member] = /^([^[]+)\[(\D[^\]]*)\]$/.exec(key) ?? [
      key,
      key.replace(/\[\d*\]$/, ''),
    ];
    const texts = parameters.getAll(key);
    const values = [...toList(query[name]), ...texts];
    const isList = name !== key || values.length > 1;
    if (member !== undefined) query[name] = { [member]: texts[0] ?? '' };
    else query[name] = isList ? values : (values[0] ?? '');
  }
  return query;
}

/** Converts the values of a query. Returns a copy. */
export function normalizeQuery(schema: z.ZodType, query: JsonObject, version: string): JsonObject {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const converted: JsonObject = {};
  for (const [name, text] of Object.entries(query)) {
    const convert = Object.hasOwn(shape, name) ? findConversion(shape[name]) : undefined;
    const value = convert ? convert(text, version) : text;
    if (value !== undefined) converted[name] = value;
  }
  return converted;
}
