// Validates request bodies against the operation's schema before anything is sent.
import { usageError } from '../core/errors.ts';
import type { Operation } from '../service/operation.ts';
import { formatIssue, withPlainMessages } from '../service/schemas/plain-messages.ts';

/** Throws a usage error that names each invalid field if the body does not match the operation's schema. */
export async function checkBody(operation: Operation, body: unknown): Promise<void> {
  const { body: schema } = await operation.schemas();
  const checked = schema?.safeParse(body, withPlainMessages);
  if (!checked || checked.success) return;
  const fieldErrors = checked.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const [first] = checked.error.issues;
  throw usageError(
    `The request is not valid: ${first ? formatIssue(first) : ''}.`,
    fieldErrors.length > 1 ? { fieldErrors } : {},
  );
}
