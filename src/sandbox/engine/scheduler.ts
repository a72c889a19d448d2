// Executes due jobs and starts queued events: on a timer, before every request, and when the clock is moved. A step that
// the endpoint of the application executes is sent there outside of transactions; what is due after it waits.

import { firstQueuedEvent, removeQueuedEvent } from '../store/events.ts';
import { type DueJob, firstDueJob } from '../store/jobs.ts';
import type { Scope, Store } from '../store/scope.ts';
import { type ExecuteStep, findStepRequest } from './bridge-step.ts';
import { readWorkflow } from './run.ts';
import { type DueSource, finishBridgeJob, runDue } from './run-jobs.ts';
import { type AcceptedEvent, startEvent } from './start-event.ts';
import type { StepResult } from './step.ts';

/** Calls `call` once after `delay` milliseconds. Returns a function that cancels the call. */
export type StartTimer = (delay: number, call: () => void) => () => void;

export interface Scheduler {
  /** Executes the jobs that came due while the sandbox was not running, and sets the timer. */
  start(): void;
  /** Executes the jobs that are due now. */
  catchUp(): void;
  /**
   * Moves the sandbox's clock and executes the jobs that come due in between. Returns their number.
   */
  advanceTo(from: number, to: number): Promise<number>;
  /** Executes what is due now, and resolves when no step waits for the endpoint of the application. */
  settled(): Promise<void>;
}

interface SchedulerOptions {
  startTimer?: StartTimer | undefined;
  /** Executes a step by the endpoint of the application. */
  executeStep: ExecuteStep;
  onInternalError: (error: unknown) => void;
}

// Wakes at least hourly: Node's timers overflow after 24 days, and the system clock may change.
const maxDelayMs = 60 * 60 * 1000;

export function createScheduler(
  store: Store,
  { startTimer, executeStep, onInternalError }: SchedulerOptions,
): Scheduler {
  const { sql, clock } = store;
  let nextDue = Number.NEGATIVE_INFINITY;
  let nextQueued = Number.NEGATIVE_INFINITY;
  let cancelTimer: (() => void) | undefined;

  const source = { sql, clock, scope: store.scope, onInternalError };
  const runUntil = (end: number) => runDue(source, end);
  /** The steps that are being sent to the endpoint, one after the other. */
  let sending: Promise<void> | undefined;

  const stopTimer = () => {
    cancelTimer?.();
    cancelTimer = undefined;
  };
  // A timer keeps the closed database in memory.
  sql.onClose(stopTimer);

  const setTimer = () => {
    stopTimer();
    if (!sql.isOpen()) return;
    const first = firstDueJob(sql);
    nextDue = first?.due_at ?? Number.POSITIVE_INFINITY;
    nextQueued = firstQueuedEvent(sql)?.runAt ?? Number.POSITIVE_INFINITY;
    if (first?.bridge && nextDue <= clock.now()) void send();
    // A timer would find the same step again.
    if (!startTimer || sending) return;
    // The queue does not follow the clock of the sandbox, so it also runs while that clock is frozen.
    const untilDue = clock.isFrozen() ? Number.POSITIVE_INFINITY : nextDue - clock.now();
    const delay = Math.min(untilDue, nextQueued - clock.machineNow());
    if (delay !== Number.POSITIVE_INFINITY)
      cancelTimer = startTimer(Math.min(Math.max(delay, 0), maxDelayMs), wake);
  };
  store.onCommit(setTimer);

  const execute = async ({ due_at, env, job }: DueJob): Promise<StepResult> => {
    try {
      const request = clock.withTime(due_at, () => findStepRequest(store.scope(env), job));
      if (request) return await executeStep(request);
    } catch (error) {
      onInternalError(error);
    }
    // The job does not exist any more, or cannot be continued.
    return { outputs: {}, isSkipped: true };
  };

  /** Sends the first due step to the endpoint and continues its run. Returns whether there was one. */
  const sendFirst = async (end: number): Promise<boolean> => {
    const due = sql.isOpen() ? firstDueJob(sql) : undefined;
    if (!due?.bridge || due.due_at > end) return false;
    const result = await execute(due);
    if (!sql.isOpen()) return false;
    sql.transaction(() => finishBridgeJob(source, due, result));
    store.committed();
    return true;
  };

  const send = (): Promise<void> => {
    const sendAll = async () => {
      while (await sendFirst(clock.now())) sql.transaction(() => runUntil(clock.now()));
    };
    sending ??= sendAll()
      .catch(onInternalError)
      .finally(() => {
        sending = undefined;
        store.committed();
      });
    return sending;
  };

  const catchUp = () => {
    const [now, machineNow] = [clock.now(), clock.machineNow()];
    if ((now < nextDue && machineNow < nextQueued) || sending) return;
    sql.transaction(() => {
      runQueue(source, machineNow);
      runUntil(now);
    });
    store.committed();
  };

  const wake = () => {
    try {
      catchUp();
    } catch (error) {
      onInternalError(error);
    }
    store.committed();
  };

  return {
    start: wake,
    catchUp,
    async advanceTo(from, to) {
      while (sending) await sending;
      let jobsRun = 0;
      /** Returns whether the clock has arrived. */
      const advance = () =>
        sql.transaction(() => {
          runQueue(source, Number.POSITIVE_INFINITY);
          jobsRun += runUntil(to);
          const first = firstDueJob(sql);
          if (first?.bridge && first.due_at <= to) return false;
          clock.shift(to - from);
          return true;
        });
      const sendAll = async () => {
        while (sql.isOpen() && !advance()) await sendFirst(to);
      };
      sending = sendAll().finally(() => {
        sending = undefined;
      });
      await sending;
      store.committed();
      return jobsRun;
    },
    async settled() {
      for (catchUp(); sending; catchUp()) await sending;
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
      const workflow = readWorkflow(scope, 'id', id);
      if (workflow) startEvent(scope, workflow, event);
    } catch (error) {
      // An error in one event must not stop the other events.
      onInternalError(error);
    }
  }
}
