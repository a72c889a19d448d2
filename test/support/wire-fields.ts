// Checks the fields of responses against rules that are typed from the API specification.
import { expect } from 'vitest';
import { jsonType } from './json-type.ts';

type Kind = 'string' | 'boolean' | 'number' | 'array' | 'object' | 'null';
export type Rule = Kind | `${Kind}?` | `${Kind}|${Kind}` | `${Kind}|${Kind}?` | readonly unknown[];

/**
 * Expects an object with these fields. `?` marks an optional field; a list contains the allowed values. Others may be
 * there, too: the service sends more than the specification names.
 */
export function expectFields(value: unknown, fields: Record<string, Rule>) {
  expect(jsonType(value)).toBe('object');
  const record = value as Record<string, unknown>;
  const errors: string[] = [];
  for (const [name, rule] of Object.entries(fields)) {
    const received = record[name];
    const fits =
      typeof rule === 'string'
        ? (rule.endsWith('?') && received === undefined) ||
          rule.replace('?', '').split('|').includes(jsonType(received))
        : rule.includes(received);
    if (!fits) errors.push(`${name} is ${JSON.stringify(received)}, not ${rule}`);
  }
  expect(errors).toEqual([]);
}

/** Returns the value at a path of keys; undefined if the path does not exist. */
export function valueAt(value: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | null | undefined)?.[key],
    value,
  );
}

export function expectList(value: unknown): unknown[] {
  expect(jsonType(value)).toBe('array');
  return value as unknown[];
}

/** Expects a non-empty list, so that a check of every item checks at least one. */
export function expectItems(value: unknown): unknown[] {
  expect(expectList(value).length).toBeGreaterThan(0);
  return expectList(value);
}

/** Expects at least one of the values to be there, and each that is there to have these fields. */
export function expectOptional(values: unknown[], fields: Record<string, Rule>) {
  const present = expectItems(values.filter((value) => value !== undefined));
  for (const value of present) expectFields(value, fields);
}

/** The items of a page. */
export const pageItems = (page: { body: unknown }) => expectList(valueAt(page.body, 'data'));

/** One field of every item of a page. */
export const fieldValues = (page: { body: unknown }, name: string) =>
  pageItems(page).map((item) => valueAt(item, name));

/** A page of a list with cursors. */
export const cursorPage: Record<string, Rule> = {
  data: 'array',
  next: 'string|null',
  previous: 'string|null',
  totalCount: 'number',
  totalCountCapped: 'boolean',
};
