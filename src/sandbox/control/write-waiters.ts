// Requests that wait until the data of the sandbox is as they want it.

import type { StartTimer } from '../engine/scheduler.ts';

export interface WriteWaiters {
  /** Call it after every write. */
  notify(): void;
  /** Resolves to true as soon as `isDone` does after a write; to false when the time is over or the sandbox stops. */
  wait(isDone: () => boolean, ms: number): Promise<boolean>;
}

/** Without a timer, nothing waits. */
export function createWriteWaiters(
  startTimer: StartTimer | undefined,
  stopSignal: AbortSignal | undefined,
): WriteWaiters {
  const waiters = new Set<(isOver: boolean) => void>();
  const notify = (isOver = false) => {
    for (const check of [...waiters]) check(isOver);
  };
  stopSignal?.addEventListener('abort', () => notify(true));
  return {
    notify: () => notify(),
    wait(isDone, ms) {
      if (isDone()) return Promise.resolve(true);
      if (!startTimer || stopSignal?.aborted) return Promise.resolve(false);
      return new Promise((resolve, reject) => {
        const check = (isOver: boolean) => {
          try {
            const done = !isOver && isDone();
            if (done || isOver) end(() => resolve(done));
          } catch (error) {
            end(() => reject(error));
          }
        };
        const end = (settle: () => void) => {
          waiters.delete(check);
          cancelTimer();
          settle();
        };
        const cancelTimer = startTimer(ms, () => check(true));
        waiters.add(check);
      });
    },
  };
}
