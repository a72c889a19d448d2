// Validates the query and body of a request as the service does, with its messages. Unknown members are left out.
import { z } from 'zod';
import { findSecondStage, readFields } from '../../service/rules/checked.ts';
import { checkFieldErrors, generalError, type HttpError } from '../values/http-error.ts';
import { findErrors, listMessages, messagesByPath } from './find-errors.ts';

/** Returns the value without unknown members. Throws the errors of the service. */
export function validate(schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) {
    const messages = listMessages(findErrors(readFields(schema), value));
    if (messages.length > 0) throw generalError(messages);
    for (const [fields, checked] of findSecondStage(schema)(value))
      checkFieldErrors(messagesByPath(findErrors(fields, checked)));
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
      const known: z.core.$ZodType | undefined = schema.shape[name];
      if (known) return [[name, withoutUnknown(known, member)]];
      return isStrict ? [] : [[name, member]];
    }),
  );
}
