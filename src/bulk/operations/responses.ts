// Reading the responses to batches leniently: lists with anything in them, texts that may be of another type.
import type { z } from 'zod';

/** The objects of a list in a response; empty when the list is missing. Entries of another type name no item. */
export function listAt(answer: unknown, name: string): Record<string, unknown>[] {
  const list = isObject(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

/** A message of the service, which may be a text or a list of texts. */
export function messageOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf(value);
  return textOf(value.filter((one) => textOf(one) !== undefined).join('; '));
}

export const complaint = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
