// Attaches the checks and conversions of the service to the schemas of requests, so that a member is described once.
// The schema contains the type and the JSON Schema; the client reports its errors. The sandbox applies the checks.
import { z } from 'zod';
import type { Convert } from './conversions.ts';
import type { Field, Fields } from './rules.ts';

interface MemberChecks {
  field?: Field;
  convert?: Convert;
}

const members = z.registry<MemberChecks>();
/** Returns the values to check with their checks, in order. The errors of the first invalid one are reported. */
type SecondStage = (value: unknown) => readonly (readonly [Fields, unknown])[];
const secondStages = z.registry<{ stage: SecondStage }>();

/**
 * Members are checked in the order of the schema: members of this request only, then shared ones. A member without
 * checks takes any value.
 */
export const checked = <S extends z.ZodType>(schema: S, field: Field): S =>
  attach(schema, { field });

/** A parameter of a query: its text is converted before it is checked. */
export const parameter = <S extends z.ZodType>(schema: S, convert: Convert, field?: Field): S =>
  attach(schema, field ? { convert, field } : { convert });

function attach<S extends z.ZodType>(schema: S, checks: MemberChecks): S {
  // A copy, because members can share a schema.
  const copy = schema.clone();
  members.add(copy, checks);
  return copy;
}

/** Adds checks that follow if the checks of the members find nothing. Their errors are reported by field. */
export function withSecondStage<S extends z.ZodObject>(schema: S, checks: Fields | SecondStage): S {
  const copy = schema.clone();
  const stage: SecondStage = typeof checks === 'function' ? checks : (value) => [[checks, value]];
  secondStages.add(copy, { stage });
  return copy;
}

const cachedFields = new WeakMap<z.ZodObject, Fields>();

/** Returns the checks of the members of an object. */
export function readFields(schema: z.ZodObject): Fields {
  const cached = cachedFields.get(schema);
  if (cached) return cached;
  const fields: Fields = {};
  for (const [name, member] of Object.entries(schema.shape)) {
    const field = members.get(member)?.field;
    if (field) fields[name] = field;
  }
  cachedFields.set(schema, fields);
  return fields;
}

export const findSecondStage = (schema: z.ZodObject): SecondStage =>
  secondStages.get(schema)?.stage ?? (() => []);

export const findConversion = (member: z.ZodType | undefined): Convert | undefined =>
  member && members.get(member)?.convert;
