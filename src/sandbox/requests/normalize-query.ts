// Reads the query of a request as the service does: repeated keys and `key[]` are lists, numbers and flags are
// converted, and values that a listing ignores are left out.
import { z } from 'zod';
import { findConversion } from '../../service/rules/checked.ts';
import { toList } from '../../service/rules/conversions.ts';

export type Query = Record<string, unknown>;

/** `tags=a&tags=b` and `tags[]=a` are lists, and `tags[x]=a` is an object; a single plain value is text. */
export function parseQuery(parameters: URLSearchParams): Query {
  const query: Query = Object.create(null);
  for (const key of new Set(parameters.keys())) {
    const [, name = key, member] = /^([^[]+)\[(\D[^\]]*)\]$/.exec(key) ?? [
      key,
      key.replace(/\[\d*\]$/, ''),
    ];
    const given = parameters.getAll(key);
    const values = [...toList(query[name]), ...given];
    const isList = name !== key || values.length > 1;
    if (member !== undefined) query[name] = { [member]: given[0] ?? '' };
    else query[name] = isList ? values : (values[0] ?? '');
  }
  return query;
}

/** Converts the values of a query. Returns a copy. */
export function normalizeQuery(schema: z.ZodType, query: Query): Query {
  const shape = schema instanceof z.ZodObject ? schema.shape : {};
  const converted: Query = {};
  for (const [name, text] of Object.entries(query)) {
    const convert = Object.hasOwn(shape, name) ? findConversion(shape[name]) : undefined;
    const value = convert ? convert(text) : text;
    if (value !== undefined) converted[name] = value;
  }
  return converted;
}
