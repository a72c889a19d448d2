// Reading answers of batches leniently, and schemas' complaints as one line.
import type { z } from 'zod';

/** What an answer says of one item. */
export interface Named {
  subscriberId?: string;
  message?: string;
}

/** A list in an answer; empty when it is not there. */
export function listAt(answer: unknown, name: string): Named[] {
  const list = isObject(answer) ? answer[name] : undefined;
  return Array.isArray(list) ? (list as Named[]) : [];
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const complaint = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
