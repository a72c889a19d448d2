// Enums in responses: the known values are documented, and other values are accepted.
import { z } from 'zod';

/** Any string; editors suggest the known values. */
export type Open<Value extends string> = Value | (string & {});

/** Returns a schema for an enum that the service may extend: `enum` or `string` in JSON Schema. */
export const openEnum = <const Value extends string>(
  values: readonly Value[],
): z.ZodType<Open<Value>, Open<Value>> => z.union([z.enum(values), z.string()]);
