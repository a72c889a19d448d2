// Applies the rules of fields to a value, and lists what they found in the two forms of the service: one list of
// messages, or messages by path.
import type { Field, Fields } from '../../service/rules/rules.ts';

export interface FieldError {
  /** The name of a field, or the position of an item. */
  name: string;
  value: unknown;
  messages: string[];
  /** Errors of nested fields, or of the items of a list. */
  inner: FieldError[];
}

export type ErrorsByPath = Record<string, { messages: string[]; value?: unknown }>;

/** Returns an error for each field that is invalid, or that has invalid nested fields. */
export function findErrors(fields: Fields, value: unknown): FieldError[] {
  const parent = typeof value === 'object' && value !== null ? value : {};
  const context = { parent };
  return Object.entries(fields).flatMap(([name, field]) => {
    const member: unknown = Object.hasOwn(parent, name) ? Reflect.get(parent, name) : undefined;
    if (isSkipped(field, member)) return [];
    const messages = [
      ...field.rules.flatMap((check) => check(member, name, context) ?? []),
      ...(member === undefined ? [] : notNested(field, member, name)),
    ];
    return toError(name, member, messages, innerErrors(field, member, name));
  });
}

/** An invalid item of a list is reported with the name of the list. */
function innerErrors(field: Field, value: unknown, name: string): FieldError[] {
  if (!field.fields || !isObjectOrList(value)) return [];
  if (!Array.isArray(value)) return findErrors(field.fields, value);
  return value.flatMap((item: unknown, index) => {
    const inner = innerErrors(field, item, name);
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

function isSkipped({ isRequired, isTextAllowed }: Field, member: unknown): boolean {
  if (isTextAllowed && typeof member === 'string') return true;
  if (member !== undefined && member !== null) return false;
  return isRequired === 'null' ? member === undefined : !isRequired;
}

/** Messages of nested fields start with their path, and replace the messages of the outermost field. */
export const listMessages = (errors: readonly FieldError[]): string[] =>
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
