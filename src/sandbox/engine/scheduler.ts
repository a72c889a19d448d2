// Executes due jobs and starts queued events: on a timer, before every request, and when the clock is moved.
import { firstDueJob } from '../store/due-jobs.ts';
import { firstQueuedEvent, removeQueuedEvent } from '../store/queued-events.ts';
import type { Scope, Store } from '../store/scope.ts';
import { workflowOf } from './read-once.ts';
import { type DueSource, runDue } from './run-due.ts';
import { type AcceptedEvent, startEvent } from './start-event.ts';

/** Calls `call` once after `delay` milliseconds. Returns a function that cancels the call. */
export type StartTimer = (delay: number, call: () => void) => () => void;

export interface Scheduler {
  /** Executes the jobs that came due while the sandbox was not running, and sets the timer. */
  start(): void;
  /** Executes the jobs that are due now. */
  catchUp(): void;
  /** Notifies the page and sets the timer for the next due job. */
  afterWrite(): void;
  /**
   * Moves the sandbox's clock and executes the jobs that come due in between. Returns their number.
   */
  advanceTo(from: number, to: number): number;
}

interface SchedulerOptions {
  startTimer?: StartTimer | undefined;
  onInternalError: (error: unknown) => void;
  /** Called after every write. */
  onWrite?: () => void;
}

// Wakes at least hourly: Node's timers overflow after 24 days, and the system clock may change.
const maxDelayMs = 60 * 60 * 1000;

export function createScheduler(
  store: Store,
  { startTimer, onInternalError, onWrite }: SchedulerOptions,
): Scheduler {
  const { sql, clock } = store;
  let nextDue = Number.NEGATIVE_INFINITY;
  let nextQueued = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  const source = { sql, clock, scope: store.scope, onInternalError };
  const runUntil = (end: number) => runDue(source, end);

  const stopTimer = () => {
    cancelTimer?.();
    cancelTimer = undefined;
  };
  // A timer keeps the closed database in memory.
  sql.onClose(stopTimer);

  const afterWrite = () => {
    onWrite?.();
    stopTimer();
    if (!sql.isOpen()) return;
    nextDue = firstDueJob(sql)?.due_at ?? Number.POSITIVE_INFINITY;
    nextQueued = firstQueuedEvent(sql)?.runAt ?? Number.POSITIVE_INFINITY;
    if (!startTimer) return;
    // The queue does not follow the clock of the sandbox, so it also runs while that clock is frozen.
    const untilDue = clock.isFrozen() ? Number.POSITIVE_INFINITY : nextDue - clock.now();
    const delay = Math.min(untilDue, nextQueued - clock.machineNow());
    if (delay !== Number.POSITIVE_INFINITY)
      cancelTimer = startTimer(Math.min(Math.max(delay, 0), maxDelayMs), wake);
  };

  const catchUp = () => {
    const [now, machineNow] = [clock.now(), clock.machineNow()];
    if (now < nextDue && machineNow < nextQueued) return;
    sql.transaction(() => {
      runQueue(source, machineNow);
      runUntil(now);
    });
    afterWrite();
  };

  const wake = () => {
    if (!sql.isOpen()) return;
    try {
      catchUp();
    } catch (error) {
      onInternalError(error);
    }
    afterWrite();
  };

  return {
    start: wake,
    catchUp,
    afterWrite,
    advanceTo(from, to) {
      const jobsRun = sql.transaction(() => {
        runQueue(source, Number.POSITIVE_INFINITY);
        const count = runUntil(to);
        clock.shift(to - from);
        return count;
      });
      afterWrite();
      return jobsRun;
    },
  };
}

/**
 * Creates the jobs of queued events, in the order in which the events were accepted. `until` is a time of the machine in
 * milliseconds.
 */
function runQueue(
  { sql, scope: open, onInternalError }: Omit<DueSource, 'clock'>,
  until: number,
): void {
  // The same scope for all events of an environment, so that definitions are read once.
  const scopes = new Map<string, Scope>();
  for (
    let queued = firstQueuedEvent(sql);
    queued && queued.runAt <= until;
    queued = firstQueuedEvent(sql)
  ) {
    removeQueuedEvent(sql, queued.id);
    const scope = scopes.get(queued.environmentId) ?? open(queued.environmentId);
    scopes.set(queued.environmentId, scope);
    try {
      const { workflow: id, ...event } = queued.read<AcceptedEvent & { workflow: string }>();
      const workflow = workflowOf(scope, 'id', id);
      if (workflow) startEvent(scope, workflow, event);
    } catch (error) {
      // An error in one event must not stop the other events.
      onInternalError(error);
    }
  }
}
