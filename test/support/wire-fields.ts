// Checks the fields of responses against rules that are typed from the API specification.
import { expect } from 'vitest';

type Kind = 'string' | 'boolean' | 'number' | 'array' | 'object' | 'null';
export type Rule = Kind | `${Kind}?` | `${Kind}|${Kind}` | `${Kind}|${Kind}?` | readonly unknown[];

function kindOf(value: unknown) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/**
 * Expects an object with these fields. `?` marks an optional field; a list contains the allowed values. Others may be
 * there, too: the service sends more than the specification names.
 */
export function expectFields(value: unknown, fields: Record<string, Rule>) {
  expect(kindOf(value)).toBe('object');
  const record = value as Record<string, unknown>;
  const errors: string[] = [];
  for (const [name, rule] of Object.entries(fields)) {
    const found = record[name];
    const fits =
      typeof rule === 'string'
        ? (rule.endsWith('?') && found === undefined) ||
          rule.replace('?', '').split('|').includes(kindOf(found))
        : rule.includes(found);
    if (!fits) errors.push(`${name} is ${JSON.stringify(found)}, not ${rule}`);
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

export function listOf(value: unknown): unknown[] {
  expect(kindOf(value)).toBe('array');
  return value as unknown[];
}

/** Expects a non-empty list, so that a check of every item checks at least one. */
export function nonEmptyListOf(value: unknown): unknown[] {
  expect(listOf(value).length).toBeGreaterThan(0);
  return listOf(value);
}

/** Expects at least one of the values to be there, and each that is there to have these fields. */
export function expectOptional(values: unknown[], fields: Record<string, Rule>) {
  const found = nonEmptyListOf(values.filter((value) => value !== undefined));
  for (const value of found) expectFields(value, fields);
}

/** The items of a page. */
export const dataOf = (page: { body: unknown }) => listOf(valueAt(page.body, 'data'));

/** One field of every item of a page. */
export const fieldOf = (page: { body: unknown }, name: string) =>
  dataOf(page).map((item) => valueAt(item, name));

/** A page of a list with cursors. */
export const cursorPage: Record<string, Rule> = {
  data: 'array',
  next: 'string|null',
  previous: 'string|null',
  totalCount: 'number',
  totalCountCapped: 'boolean',
};
