// Lenient access to responses: lists with entries of any type, texts that may have another type.
import type { z } from 'zod';
import { isObject } from '../../core/objects.ts';

/** The objects in a list of a response; empty if the list is missing. Ignores entries of other types. */
export function listAt(response: unknown, name: string): Record<string, unknown>[] {
  const list = isObject(response) ? response[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A message of the service: a string or a list of strings. */
export function toMessage(value: unknown): string | undefined {
  if (!Array.isArray(value)) return nonEmptyText(value);
  return nonEmptyText(value.filter((text) => nonEmptyText(text) !== undefined).join('; '));
}

export const formatIssues = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
