// Validates the query and body of a request as the service does, with its messages. Unknown members are left out.
import { z } from 'zod';
import type { OperationId } from '../../service/operations/index.ts';
import { fieldsOf, secondStageOf } from '../../service/rules/checked.ts';
import type { Fields } from '../../service/rules/rules.ts';
import { channelChecks, workflowCheck } from '../../service/schemas/preferences.ts';
import { checkFieldErrors, generalError, type HttpError } from '../values/http-error.ts';
import { findErrors, listMessages, messagesByPath } from './find-errors.ts';

/** Returns the value without unknown members. Throws the errors of the service. */
export function validate(id: OperationId, schema: z.ZodType, value: unknown): unknown {
  if (schema instanceof z.ZodObject) {
    const messages = listMessages(findErrors(fieldsOf(schema), value));
    if (messages.length > 0) throw generalError(messages);
    checkByField(secondStageOf(schema), value);
  }
  if (id === 'updateSubscriberPreferences') checkPreference(value);
  if (id === 'updateManyPreferences') {
    const { preferences } = value as { preferences: { channels: unknown }[] };
    for (const { channels } of [preferences].flat()) checkByField(channelChecks, channels);
  }
  return withoutUnknown(schema, value);
}

function checkPreference(value: unknown): void {
  const { workflowId: workflowIdOrInternalId, channels } = value as Record<string, unknown>;
  checkByField(workflowCheck, { workflowIdOrInternalId });
  checkByField(channelChecks, channels);
}

function checkByField(fields: Fields, value: unknown): void {
  checkFieldErrors(messagesByPath(findErrors(fields, value)));
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
