// Validates request bodies against the operation's schema before anything is sent.
import { usageError } from '../core/errors.ts';
import type { Operation } from './operation.ts';

/** Throws a usage error that names each invalid field if the body does not match the operation's schema. */
export async function checkBody(operation: Operation, body: unknown): Promise<void> {
  const { body: schema } = await operation.schemas();
  const checked = schema?.safeParse(body);
  if (!checked || checked.success) return;
  const fieldErrors = checked.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const messages = fieldErrors.map(({ field, message }) =>
    [field, message].filter(Boolean).join(': '),
  );
  throw usageError(
    `The request is not valid: ${messages[0] ?? ''}.`,
    messages.length > 1 ? { fieldErrors } : {},
  );
}
