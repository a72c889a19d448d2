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

/** A gateway that does not reach the service must not look like a resource that does not exist. */
export const refuseForeignNotFound = (error: SvcError): SvcError =>
  error.details.isForeignNotFound
    ? error.with({
        exitReason: 'unavailable',
        message: `The 404 for ${error.details.path} is not in the format of the service: ${error.message}`,
        hint: 'Check the base URL, and the gateways and proxies before the service.',
      })
    : error;

/** Like `ifExists`, but only the service itself can say that the resource does not exist. */
export const ifPresent = <T>(response: Promise<T>): Promise<T | undefined> =>
  ifExists(
    response.catch((error: unknown) => {
      throw error instanceof SvcError ? refuseForeignNotFound(error) : error;
    }),
  );

/** Like `ifExists`, and undefined if the server does not offer the operation. */
export const ifFound = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (error instanceof SvcError && error.exitReason === 'notFound') return undefined;
    throw error;
  });
