// When what is due is carried out: by one timer, before every request, and when the clock is moved.
import { firstDue } from '../store/due-jobs.ts';
import type { Store } from '../store/open.ts';
import { runDue } from './run-due.ts';

/** Calls once after some milliseconds. What it gives takes the call back. */
export type Timer = (delay: number, call: () => void) => () => void;

export interface Agenda {
  /** Carries out what came due while the sandbox did not run, and sets the timer. */
  start(): void;
  /** Carries out what came due by now. */
  catchUp(): void;
  /** Sets the timer anew after something was written. */
  arm(): void;
  /** Moves the sandbox's clock; what is due in between is carried out before it returns. */
  travel(from: number, to: number): number;
}

// Timers overflow beyond 24 days; a clock of the machine may also have been changed.
const longestWait = 60 * 60 * 1000;

export function createScheduler(
  store: Store,
  { timer, onDefect }: { timer?: Timer | undefined; onDefect: (error: unknown) => void },
): Agenda {
  const { sql, clock } = store;
  let next = Number.NEGATIVE_INFINITY;
  let disarm: (() => void) | undefined;

  const runUntil = (end: number) => runDue({ sql, clock, scope: store.scope, onDefect }, end);

  const arm = () => {
    disarm?.();
    disarm = undefined;
    if (!sql.isOpen()) return;
    next = firstDue(sql)?.due_at ?? Number.POSITIVE_INFINITY;
    if (!timer || clock.isFrozen() || next === Number.POSITIVE_INFINITY) return;
    disarm = timer(Math.min(Math.max(next - clock.now(), 0), longestWait), wake);
  };

  const catchUp = () => {
    const now = clock.now();
    if (now < next) return;
    sql.transaction(() => runUntil(now));
    arm();
  };

  const wake = () => {
    if (!sql.isOpen()) return;
    try {
      catchUp();
    } catch (error) {
      onDefect(error);
    }
    arm();
  };

  return {
    start: wake,
    catchUp,
    arm,
    travel(from, to) {
      const count = sql.transaction(() => {
        const ran = runUntil(to);
        clock.shift(to - from);
        return ran;
      });
      arm();
      return count;
    },
  };
}
