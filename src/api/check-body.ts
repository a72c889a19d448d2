// Request bodies are checked against the operation's schema before anything is sent.
import { usageError } from '../core/errors.ts';
import type { Operation } from './operation.ts';
import { issueText, plainMessages } from './schemas/plain-messages.ts';

/** Refuses a body that breaks the operation's schema, naming each field. */
export async function checkBody(operation: Operation, body: unknown): Promise<void> {
  const { body: schema } = await operation.schemas();
  const checked = schema?.safeParse(body, plainMessages);
  if (!checked || checked.success) return;
  const details = checked.error.issues.map((issue) => ({
    field: issue.path.join('.'),
    message: issue.message,
  }));
  const [first] = checked.error.issues;
  throw usageError(
    `The request is not valid: ${first ? issueText(first) : ''}.`,
    details.length > 1 ? { fieldErrors: details } : {},
  );
}
