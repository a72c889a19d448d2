// Finds out whether an unexpected error was caused by a response that does not match its schema.
// Responses are validated only here, after a failure, because validating each one would slow down every command.

import type { LastResponse } from '../completion/recorder.ts';
import { SvcError } from '../core/errors.ts';
import { record } from '../service/operations/index.ts';
import { formatIssue, withPlainMessages } from '../service/schemas/plain-messages.ts';

/** Returns an error about the invalid response, or the original error if the last response was valid. */
export async function diagnoseResponse(
  error: unknown,
  last: LastResponse | undefined,
): Promise<unknown> {
  if (
    error instanceof SvcError ||
    !(error instanceof TypeError || error instanceof RangeError) ||
    !last
  ) {
    return error;
  }
  const { method, path, schemas } = record(last.operationId);
  const checked = (await schemas()).response.safeParse(last.response, withPlainMessages);
  if (checked.success) return error;
  const [issue] = checked.error.issues;
  return new SvcError(
    'unavailable',
    `The response to ${method} ${path} does not match the API: ${issue ? formatIssue(issue) : ''}`,
    {
      hint: 'The base URL may belong to another service or version. `--debug=body` shows the response.',
      path,
      cause: error,
    },
  );
}
