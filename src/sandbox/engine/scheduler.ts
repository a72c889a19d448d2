// Executes due jobs: on a timer, before every request, and when the clock is moved.
import { firstDueJob } from '../store/due-jobs.ts';
import type { Store } from '../store/scope.ts';
import { runDue } from './run-due.ts';

/** Calls `call` once after `delay` milliseconds. Returns a function that cancels the call. */
export type StartTimer = (delay: number, call: () => void) => () => void;

export interface Scheduler {
  /** Executes the jobs that came due while the sandbox was not running, and sets the timer. */
  start(): void;
  /** Executes the jobs that are due now. */
  catchUp(): void;
  /** Sets the timer for the next due job. Call it after every write. */
  setTimer(): void;
  /**
   * Moves the sandbox's clock and executes the jobs that come due in between. Returns their number.
   */
  advanceTo(from: number, to: number): number;
}

// Wakes at least hourly: Node's timers overflow after 24 days, and the system clock may change.
const maxDelayMs = 60 * 60 * 1000;

export function createScheduler(
  store: Store,
  {
    startTimer,
    onInternalError,
  }: { startTimer?: StartTimer | undefined; onInternalError: (error: unknown) => void },
): Scheduler {
  const { sql, clock } = store;
  let nextDue = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  const runUntil = (end: number) =>
    runDue({ sql, clock, scope: store.scope, onInternalError }, end);

  const setTimer = () => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (!sql.isOpen()) return;
    nextDue = firstDueJob(sql)?.due_at ?? Number.POSITIVE_INFINITY;
    if (!startTimer || clock.isFrozen() || nextDue === Number.POSITIVE_INFINITY) return;
    cancelTimer = startTimer(Math.min(Math.max(nextDue - clock.now(), 0), maxDelayMs), wake);
  };

  const catchUp = () => {
    const now = clock.now();
    if (now < nextDue) return;
    sql.transaction(() => runUntil(now));
    setTimer();
  };

  const wake = () => {
    if (!sql.isOpen()) return;
    try {
      catchUp();
    } catch (error) {
      onInternalError(error);
    }
    setTimer();
  };

  return {
    start: wake,
    catchUp,
    setTimer,
    advanceTo(from, to) {
      const jobsRun = sql.transaction(() => {
        const count = runUntil(to);
        clock.shift(to - from);
        return count;
      });
      setTimer();
      return jobsRun;
    },
  };
}
