// Request bodies are checked against the operation's schema before anything is sent.
import { usageError } from '../core/errors.ts';
import type { Operation } from './operation.ts';

/** Refuses a body that breaks the operation's schema, naming each field. */
export async function checkBody(operation: Operation, body: unknown): Promise<void> {
  const { body: schema } = await operation.schemas();
  const checked = schema?.safeParse(body);
  if (!checked || checked.success) return;
  const details = checked.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const said = details.map(({ field, message }) => [field, message].filter(Boolean).join(': '));
  throw usageError(
    `The request is not valid: ${said[0] ?? ''}.`,
    said.length > 1 ? { fieldErrors: details } : {},
  );
}
