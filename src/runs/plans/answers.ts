// Reading answers of batches leniently, and schemas' complaints as one line.
import type { z } from 'zod';

/** What an answer says of one item. */
export interface Named {
  subscriberId?: string;
  message?: string;
}

/** A list in an answer; empty when it is not there. */
export function listAt(answer: unknown, name: string): Named[] {
  const body = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<
    string,
    unknown
  >;
  return Array.isArray(body[name]) ? (body[name] as Named[]) : [];
}

export const complaint = ({ issues }: z.ZodError): string =>
  issues
    .map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': '))
    .join('; ');
