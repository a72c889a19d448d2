// Whose fault an unexpected error is: when the last answer of the service breaks its schema, the service's.
// Answers are not checked before they are used, which would cost every command; only here, when something went wrong.
import { record } from '../api/operations/index.ts';
import type { LastResponse } from '../completion/recorder.ts';
import { SvcError } from '../core/errors.ts';

/** The error to tell instead; the same one when the answer was as it should be. */
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
  const { method, path, schemas } = record(last.id);
  const checked = (await schemas()).answer.safeParse(last.response);
  if (checked.success) return error;
  const [issue] = checked.error.issues;
  const place = issue?.path.join('.') || 'the answer';
  return new SvcError(
    'unavailable',
    `The answer to ${method} ${path} is not what the interface describes: ${place}: ${issue?.message ?? ''}`,
    {
      hint: 'Is it this service, in this version? `--debug=body` shows what it answered.',
      path,
      cause: error,
    },
  );
}
