// Reads what may not exist.
import { SvcError } from './errors.ts';

/** Whether a resource does not exist, on a server that has the operation. */
export const isMissing = (error: unknown): boolean =>
  error instanceof SvcError && error.exitReason === 'notFound' && !error.details.notOffered;

/** Returns the response; undefined if the resource does not exist. */
export const ifExists = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** Like `ifExists`, and undefined if the server does not offer the operation. */
export const ifFound = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (error instanceof SvcError && error.exitReason === 'notFound') return undefined;
    throw error;
  });
