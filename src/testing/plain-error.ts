// Test runners show the message of an error, so the message gets the details that svc prints below it.
import { SvcError } from '../core/errors.ts';

/** Runs a function. An error of svc becomes one whose message contains all of its details. */
export async function inPlainErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof SvcError ? plainError(error) : error;
  }
}

function plainError(error: SvcError): Error {
  const { fieldErrors = [], hint } = error.details;
  const lines = fieldErrors.map(({ field, message }) => `  ${[field, message].join(' ').trim()}`);
  const message = [error.message, ...lines, ...(hint === undefined ? [] : [hint])].join('\n');
  // Not the error itself as the cause: a test runner would print the same message twice.
  return new Error(message, error.cause === undefined ? undefined : { cause: error.cause });
}
