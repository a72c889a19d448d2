// Waits for a promise or a signal, whichever is first.

/**
 * Rejects with the signal's reason as soon as it aborts. Unlike `Promise.race` it leaves nothing behind on a signal that
 * lives as long as the process.
 */
export function raceAbort<T>(pending: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    const done = () => signal.removeEventListener('abort', abort);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    pending.then(
      (value) => {
        done();
        resolve(value);
      },
      (error: unknown) => {
        done();
        reject(error);
      },
    );
  });
}
