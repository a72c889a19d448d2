// Attaches the checks and conversions of the service to the schemas of requests, so that a member is described once.
// The schema contains the type and the JSON Schema; the client reports its errors. The sandbox applies the checks.
import { z } from 'zod';
import { existsIn, type Lifetime } from '../versions.ts';
import { type Field, type Fields, nested } from './rules.ts';

interface MemberChecks {
  field?: Field;
  convert?: Convert;
}

const members = z.registry<MemberChecks>();
/** A value and its checks, with the name of the command of the service that applies them. */
type Check = readonly [command: string, fields: Fields, value: unknown];
/** Returns the values to check, in order. The errors of the first invalid one are reported. */
type SecondStage = (value: unknown) => readonly Check[];
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
export function withSecondStage<S extends z.ZodObject>(
  schema: S,
  ...[checks, fields]: [command: string, fields: Fields] | [SecondStage]
): S {
  const copy = schema.clone();
  const stage: SecondStage =
    typeof checks === 'function' ? checks : (value) => [[checks, fields ?? {}, value]];
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

/** An optional object whose members are checked. */
export const checkedObject = <S extends z.ZodObject>(schema: S) =>
  checked(schema.optional(), nested(readFields(schema)));

/** The checks of a list of objects, of which each has the checks of its members. */
export const checksOfList = (list: Field, item: z.ZodObject): Field => ({
  ...list,
  fields: readFields(item),
  isList: true,
});

export const findSecondStage = (schema: z.ZodObject): SecondStage =>
  secondStages.get(schema)?.stage ?? (() => []);

export const findConversion = (member: z.ZodType | undefined): Convert | undefined =>
  member && members.get(member)?.convert;

// Conversions of the parameters of a query, which arrive as text or as lists of texts.

/** Returns undefined for a parameter that is ignored, and NaN for a number that the checks refuse. */
type Convert = (value: unknown, version: string) => unknown;

/** Converts only in some versions of the service. */
export const convertIn =
  (lifetime: Lifetime, convert: Convert): Convert =>
  (value, version) =>
    existsIn(version, lifetime) ? convert(value, version) : value;

export const toList = (value: unknown): unknown[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];
/** Empty text is ignored. */
export const toListIfGiven: Convert = (value) => (value === '' ? undefined : toList(value));
export const toListOfGiven: Convert = (value) => toList(value).filter((item) => item !== '');
/** Some listings reject every list, and others take a list with one value. */
export const toSingleNumber: Convert = (value) =>
  Array.isArray(value) ? Number.NaN : Number(value);
export const toNumber: Convert = (value) => Number(value);
export const toWholeNumber: Convert = (value) => Math.floor(Number(value));
/** Text that is not a number is ignored. */
export const toNumberOrNone: Convert = (value) => {
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
};
/** Zero, and text that is not a number, stand for the default. Digits after the decimal point are ignored. */
export const toLimitOrDefault: Convert = (value) => {
  if (Array.isArray(value)) return Number.NaN;
  const number = Number(value) || undefined;
  return number !== undefined && number > 1 ? Math.floor(number) : number;
};
/** Text that is not a number is rejected by the rules. */
export const toLimit: Convert = (value, version) =>
  Number.isNaN(Number(value)) ? Number.NaN : toLimitOrDefault(Number(value), version);
export const toCountLimit: Convert = (value, version) => toLimitOrDefault(Number(value), version);
export const isTrue: Convert = (value) => value === 'true';
export const isTrueIfGiven: Convert = (value) => (value === '' ? undefined : value === 'true');
/** Another text stays as it is. */
export const toFlag: Convert = (value) =>
  value === 'true' ? true : value === 'false' ? false : value;
/** Everything but `DESC` sorts upwards. */
export const toDirection: Convert = (value) => (value === 'DESC' ? 'DESC' : 'ASC');
/** Everything but `ASC` sorts downwards. */
export const toDescending: Convert = (value) => (value === 'ASC' ? 'ASC' : 'DESC');
/** An unknown order is ignored. */
export const toKnownOrder =
  (...orders: string[]): Convert =>
  (value) =>
    typeof value !== 'string' || orders.includes(value) ? value : undefined;
export const emptyToNone: Convert = (value) => (value === '' ? undefined : value);
