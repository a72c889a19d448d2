// The public types of `svc-cli/testing`. The build joins this file and `schema-types.ts` to the package's type
// declarations, so it imports nothing else.
import type {
  CapturedMessage,
  Channel,
  ClockMove,
  ClockState,
  DeliveryFault,
  FaultState,
  RecordedRequest,
  SandboxState,
  TriggeredEvent,
} from './schema-types.ts';

export type * from './schema-types.ts';

export interface SandboxOptions {
  /** `specification`: follow the specification where the service differs. Default: the mode in `seed`. If it has none, `novu`: the service as it runs. */
  compat?: 'novu' | 'specification' | undefined;
  /** The version of the service that the sandbox behaves like. Default: the version in `seed`. If it has none, 3.19; with the mode `specification`, 3.11. */
  service?: '3.11' | '3.19' | undefined;
  /**
   * The initial data: the path of a state file, of a workflow file or of a folder of workflow files, or a state.
   * Default: the built-in example data, without its past events. Errors in the steps of workflows are rejected.
   */
  seed?: string | URL | SandboxState | undefined;
  /** The time in the sandbox at the start. Text is ISO 8601. Default: the time of the machine. */
  time?: string | Date | undefined;
  /** Stops the clock of the sandbox; only `clock` moves it. Default: false. */
  frozen?: boolean | undefined;
  /** The API key of the Development environment: 32 lowercase hexadecimal digits. Default: a random key. */
  key?: string | undefined;
  /** Logs each request and each message as a line, as `svc sandbox start --log` does. true: by `console.log`. */
  log?: boolean | ((line: string) => void) | undefined;
  /**
   * `error`: after a request for a route that exists in the service and not in the sandbox, `messages()`,
   * `waitForMessages()` and `stop()` reject and name the route; `stop()` stops first. Default: `ignore`.
   */
  onUnhandled?: 'error' | 'ignore' | undefined;
  /**
   * The endpoint of an application that defines workflows by code, such as `http://127.0.0.1:4000/api/novu`. The
   * sandbox discovers its workflows at the start and before an event of an unknown workflow.
   */
  bridge?: string | URL | undefined;
  /** Origins of such endpoints on other machines. */
  allowBridge?: readonly string[] | undefined;
  /** Origins on other machines that get the requests of `http_request` steps; others get none. */
  allowHttp?: readonly string[] | undefined;
  /** Faults from the start; `reset` restores them. Default: none. */
  faults?: FaultSettings | FaultSettings[] | undefined;
  /**
   * A message with missing variables fails its step, as a broken template does. A variable with the filter `default` is
   * not missing. Default: false, which lists them in `missingVariables`.
   */
  strictVariables?: boolean | undefined;
  /** false: opens no port; requests go through `sandbox.fetch`. Default: true. */
  listen?: boolean | undefined;
}

/** A local emulator of the service that runs in this process. It does not keep the process running. */
export interface Sandbox {
  /** The base URL. With `listen: false`, only `sandbox.fetch` can reach it. */
  readonly url: string;
  /** The API key of the Development environment. */
  readonly key: string;
  /** Identifies the Development environment to inbox clients in a browser, which have no API key. */
  readonly applicationIdentifier: string;
  /** Sends a request to the sandbox without a socket. Relative addresses belong to the sandbox. */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  /** The clock of the sandbox, which delays, digests and schedules follow. */
  readonly clock: SandboxClock;
  /**
   * Returns the captured messages that match, newest first, also those that a service would not deliver: see `status`.
   * Rejects if the workflow does not exist.
   */
  messages(filter?: MessageFilter): Promise<Message[]>;
  /**
   * Waits until at least `count` delivered messages match, and returns all of these. Rejects when the time
   * is over. With `transaction`, rejects as soon as all of its steps have finished, or if the others are not due in time:
   * advance the clock before you wait. The error says why steps did not deliver.
   */
  waitForMessages(filter?: MessageFilter & WaitOptions): Promise<Message[]>;
  /** Returns the events that match, one for each recipient, with the result of each channel step, newest first. */
  activity(filter?: MessageFilter): Promise<TriggeredEvent[]>;
  /**
   * Returns the last requests of the application that match, newest first, at most 1,000. Their secrets are masked. The
   * members of the sandbox itself send none.
   */
  requests(filter?: RequestFilter): Promise<RecordedRequest[]>;
  /** Errors, delays and rate limits for requests to the service. */
  readonly faults: SandboxFaults;
  /** Restores the initial data, time and faults. The key stays. */
  reset(): Promise<void>;
  /**
   * Creates an environment with its own key and a copy of the initial data, for tests that run at the same time. `reset`
   * of the sandbox removes it.
   */
  environment(): Promise<SandboxEnvironment>;
  /**
   * Saves all data with pending jobs, clock, faults and requests. `restore` returns to it, as often as needed.
   */
  snapshot(): Promise<SavedSnapshot>;
  /** Returns to a snapshot of this sandbox. Keys and sessions stay. */
  restore(snapshot: SavedSnapshot): Promise<void>;
  /** Starts a second sandbox with the data and the clock of this one, and its own key and port. Stop it as well. */
  fork(): Promise<Sandbox>;
  /**
   * Describes events as text: when each was triggered, and why its messages were delivered or not. For the output of a
   * test that failed.
   */
  story(filter?: StoryFilter): string;
  /** Returns the whole state, with credentials, without messages. It can be the `seed` of another sandbox. */
  export(): Promise<SandboxState>;
  /** Stops the sandbox and frees its port and memory. */
  stop(): Promise<void>;
}

/**
 * An environment of a sandbox. It has its own data, messages, requests and faults. It shares address and clock with the
 * sandbox.
 */
export interface SandboxEnvironment
  extends Pick<
    Sandbox,
    | 'url'
    | 'key'
    | 'fetch'
    | 'clock'
    | 'messages'
    | 'waitForMessages'
    | 'activity'
    | 'requests'
    | 'faults'
  > {
  /** Identifies the environment to the clients of the inbox. */
  readonly applicationIdentifier: string;
  /** Restores the initial data and faults of the environment. The key and the clock stay. */
  reset(): Promise<void>;
  /** Deletes the environment. Its key is then unknown. */
  remove(): Promise<void>;
}

/** Names a snapshot of the sandbox that made it. */
export interface SavedSnapshot {
  readonly name: string;
}

/** A member that is absent does not filter. */
export interface StoryFilter {
  /** The id of a transaction, as returned by a trigger. */
  transactionId?: string | undefined;
  /** The id of a subscriber. */
  subscriber?: string | undefined;
}

export interface SandboxClock {
  /** Moves the clock ahead and runs the jobs that come due: `10m`, `2h30m`, `3d`, or milliseconds. */
  advance(duration: string | number): Promise<ClockMove>;
  /** Sets the clock and runs the jobs that are due by then. `now`: the time of the machine. */
  set(time: string | Date): Promise<ClockMove>;
  show(): Promise<ClockState>;
}

/** A member that is absent does not filter. */
export interface MessageFilter {
  /** The id of a subscriber. */
  subscriber?: string | undefined;
  channel?: Channel | undefined;
  /** The identifier of a workflow. */
  workflow?: string | undefined;
  /** The id of a transaction, as returned by a trigger. */
  transaction?: string | undefined;
}

export interface WaitOptions {
  /** Default: 1. */
  count?: number | undefined;
  /** Real time: `10s`, or milliseconds. Default: 4 seconds, less than the limit of a test in vitest and jest. */
  timeout?: string | number | undefined;
}

/** A captured message. A service would have delivered it if its status is `sent` or it has `missedAddresses`. */
export interface Message extends CapturedMessage {
  /** The content as plain text, without the HTML of an e-mail. */
  text: string;
}

/** A member that is absent does not filter. */
export interface RequestFilter {
  /** Such as `POST`. */
  method?: string | undefined;
  /** Without the query; `*` stands for any text: `/v2/subscribers/*`. */
  path?: string | undefined;
  status?: number | undefined;
  /** Requests from this time of the sandbox on: ISO, or a duration back from now such as `2h`. */
  since?: string | Date | undefined;
  /** Requests that failed, or whose routes the sandbox does not have. */
  outcome?: 'failed' | 'notEmulated' | undefined;
}

export interface SandboxFaults {
  /** Injects faults. Members that are absent keep their values. */
  set(faults: FaultSettings): Promise<FaultState>;
  show(): Promise<FaultState>;
  clear(): Promise<void>;
}

/** Faults of requests or, with `channel` or `provider`, of deliveries. */
export type FaultSettings = RequestFaults | DeliveryFault;

/** Faults of requests. */
export type RequestFaults = Omit<FaultState, 'deliveries'>;
