// Opens the store and creates the sandbox with the clock, timers and console of this process, with or without a server.
import timers from 'node:timers';
import { createSandbox, type SandboxOptions } from './app.ts';
import { createEventLog, type LoggedEvent } from './http/event-log.ts';
import { openStore, type StoreOptions } from './state/open-store.ts';
import type { Store } from './store/scope.ts';
import type { Clock } from './values/ids.ts';

export interface OpenOptions
  extends Omit<StoreOptions, 'clock'>,
    Pick<
      SandboxOptions,
      | 'envelope'
      | 'faults'
      | 'hosts'
      | 'onStop'
      | 'pageUrl'
      | 'pid'
      | 'profile'
      | 'stopSignal'
      | 'onInternalError'
    > {
  clock?: Clock;
  /** Called for every request of an operation, and for every message. */
  onEvent?: (event: LoggedEvent) => void;
}

export interface OpenedSandbox {
  store: Store;
  handle(request: Request): Promise<Response>;
}

// Taken when the module is loaded: the fake timers of an application's tests must not stop the sandbox.
const { setTimeout: startTimeout, clearTimeout: cancelTimeout } = timers;
const systemTime = Date.now;
export const systemClock: Clock = { now: () => systemTime() };

/** Calls `call` once, unless the process ends before. Returns a function that cancels the call. */
export function startTimer(delay: number, call: () => void): () => void {
  const timeout = startTimeout(call, delay).unref();
  return () => cancelTimeout(timeout);
}

/** Waits, and keeps the process running. */
export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    startTimeout(resolve, ms);
  });

/** Prints a line by `console.log`, which test runners show beside the test. */
export const printLine = (line: string): void => console.log(line);

export async function openSandbox(options: OpenOptions): Promise<OpenedSandbox> {
  const { clock = systemClock, onEvent } = options;
  const store = await openStore({ ...options, clock });
  const log = onEvent && createEventLog(store, clock, onEvent);
  const handle = createSandbox({
    ...options,
    store,
    clock,
    startTimer: log ? log.timer(startTimer) : startTimer,
  });
  return { store, handle: log ? log.handler(handle) : handle };
}
