// Opens the store and creates the sandbox with the clock, timers and console of this process, with or without a server.
import timers from 'node:timers';
import { usageError } from '../core/errors.ts';
import { createSandbox, type SandboxOptions } from './app.ts';
import { BridgeRequestError, checkAddress } from './bridge/request.ts';
import { type StoryFilter, storyText } from './control/story.ts';
import { createChanges } from './page/changes.ts';
import type { FileProblem } from './page/file-problems.tsx';
import { openStore, type StoreOptions } from './state/open-store.ts';
import type { SandboxState } from './state/schema.ts';
import { replaceDefinitions, withDefinitions } from './state/seed-state.ts';
import type { Clock } from './store/ids.ts';
import { restoreSavedRows, type SavedRows, saveRows } from './store/schema.ts';
import type { Store } from './store/scope.ts';

/** Set here, for every sandbox. */
type OwnOptions =
  | 'store'
  | 'clock'
  | 'startTimer'
  | 'random'
  | 'changes'
  | 'fileProblems'
  | 'onBridgeProblem'
  | 'bridgeProblem';

export interface OpenOptions extends Omit<StoreOptions, 'clock'>, Omit<SandboxOptions, OwnOptions> {
  clock?: Clock;
  /** Called when the workflows of the endpoint cannot be read, with the reason. */
  onBridgeProblem?: (problem: string) => void;
}

type Handle = (request: Request) => Promise<Response>;

export interface OpenedSandbox {
  store: Store;
  handle(request: Request): Promise<Response>;
  /** Replaces workflows and layouts, also in the seed. Throws if they were written for the other mode. */
  replaceDefinitions(state: SandboxState): void;
  /** Shows the errors in the files that the sandbox follows on the page. */
  showFileProblems(problems: readonly FileProblem[]): void;
  /** Describes events in Development, as text. */
  story(filter: StoryFilter): string;
  /** All data and the clock, for another sandbox. */
  copy(): SandboxCopy;
  /** Replaces all data and the clock by those of another sandbox. The keys stay. */
  paste(copy: SandboxCopy): void;
}

export interface SandboxCopy {
  rows: SavedRows;
  /** Milliseconds since 1970. */
  time: number;
  isFrozen: boolean;
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
export const printWarning = (line: string): void => console.warn(line);

export async function openSandbox(openOptions: OpenOptions): Promise<OpenedSandbox> {
  const options = {
    ...openOptions,
    allowedBridges: openOptions.allowedBridges?.map(parseOrigin),
    allowedHttp: openOptions.allowedHttp?.map(parseOrigin),
  };
  if (options.bridge !== undefined) checkBridge(options.bridge, options.allowedBridges);
  const { clock = systemClock } = options;
  // A reset restores the last versions of the definitions.
  const seed = options.seed && { ...options.seed };
  const store = await openStore({ ...options, ...(seed ? { seed } : {}), clock });
  const changes = createChanges(startTimer);
  let problems: readonly FileProblem[] = [];
  let bridgeProblem: string | undefined;
  const onBridgeProblem = (problem: string | undefined) => {
    bridgeProblem = problem;
    if (problem !== undefined) openOptions.onBridgeProblem?.(problem);
  };
  const handle = createSandbox({
    ...options,
    store,
    clock,
    changes,
    startTimer,
    fileProblems: () => problems,
    onBridgeProblem,
    bridgeProblem: () => bridgeProblem,
  });
  if (options.bridge !== undefined)
    onBridgeProblem(await connectBridge(store, handle, options.bridge));
  return {
    store,
    handle,
    replaceDefinitions(state) {
      replaceDefinitions(store, state);
      if (seed) seed.environments = withDefinitions(seed.environments, state.environments);
      store.committed();
    },
    showFileProblems(newProblems) {
      problems = newProblems;
      changes.notify();
    },
    story: (filter) => storyText(store.scope(store.environmentId), filter),
    copy: () => ({
      rows: saveRows(store.sql),
      time: store.clock.now(),
      isFrozen: store.clock.isFrozen(),
    }),
    paste({ rows, time, isFrozen }) {
      store.replace(() => restoreSavedRows(store.sql, rows));
      if (store.clock.isFrozen() !== isFrozen) store.clock.freeze(isFrozen);
      store.clock.set(time);
      store.committed();
    },
  };
}

/** Throws if the text is not an origin. */
function parseOrigin(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : undefined;
  if (origin !== undefined && text.replace(/\/$/, '').toLowerCase() === origin) return origin;
  throw usageError(`${JSON.stringify(text)} is not an origin such as http://app:4000.`);
}

/** Throws if the sandbox must not call the endpoint. */
function checkBridge(url: string, allowedOrigins: readonly string[] = []): void {
  try {
    checkAddress(url, allowedOrigins);
  } catch (error) {
    throw error instanceof BridgeRequestError ? usageError(`${error.message}.`) : error;
  }
}

/**
 * Returns why its workflows cannot be read. An application that does not respond yet is asked again before an event of
 * an unknown workflow.
 */
async function connectBridge(
  store: Store,
  handle: Handle,
  bridgeUrl: string,
): Promise<string | undefined> {
  const headers = { authorization: `ApiKey ${store.key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ bridgeUrl });
  const request = new Request('http://localhost/v1/bridge/sync', { method: 'POST', headers, body });
  const response = await handle(request);
  if (response.ok) return undefined;
  const { message } = (await response.json()) as { message: string };
  return message;
}
