// Whose fault an unexpected error is: when the last answer of the service breaks its schema, the service's.
// Answers are not checked before they are used, which would cost every command; only here, when something went wrong.
import { record } from '../api/operations/index.ts';
import { issueText, plainMessages } from '../api/schemas/plain-messages.ts';
import type { LastAnswer } from '../completion/recorder.ts';
import { SvcError } from '../core/errors.ts';

/** The error to tell instead; the same one when the answer was as it should be. */
export async function diagnosed(error: unknown, last: LastAnswer | undefined): Promise<unknown> {
  if (
    error instanceof SvcError ||
    !(error instanceof TypeError || error instanceof RangeError) ||
    !last
  ) {
    return error;
  }
  const { method, path, schemas } = record(last.id);
  const checked = (await schemas()).answer.safeParse(last.answer, plainMessages);
  if (checked.success) return error;
  const [issue] = checked.error.issues;
  return new SvcError(
    'unavailable',
    `The answer to ${method} ${path} is not what the interface describes: ${issue ? issueText(issue) : ''}`,
    {
      hint: 'Is it this service, in this version? `--debug=body` shows what it answered.',
      path,
      cause: error,
    },
  );
}
