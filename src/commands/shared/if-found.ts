// Reads what may not exist.
import { SvcError } from '../../core/errors.ts';

/** Returns the response; undefined if the service responds that the resource does not exist. */
export async function ifFound<T>(response: Promise<T>): Promise<T | undefined> {
  try {
    return await response;
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'notFound') return undefined;
    throw error;
  }
}

/** Whether a resource does not exist, on a server that has the operation. */
export const isMissing = (error: unknown): boolean =>
  error instanceof SvcError && error.exitReason === 'notFound' && !error.details.notOffered;
