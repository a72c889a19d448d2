// The program's environment as one value: streams, variables, clock, randomness, signals.
// `processHost` creates it from the process; tests create their own.
import type { Readable, Writable } from 'node:stream';
import type { WireClock } from '../api/client-options.ts';
import type { Transport, TransportOptions } from '../api/transport/transport.ts';

/** Standard output or standard error. */
export interface OutputStream {
  isTty: boolean;
  /** Columns of the terminal; 80 if unknown. */
  columns: number;
  /** Lines of the terminal; 24 if unknown. */
  rows: number;
  /** Resolves when the stream can take more. Rejects with `BrokenPipeError` if the pipe is closed. */
  write(text: string): Promise<void>;
  /** The stream itself, for prompts. */
  stream: Writable;
}

/** A detached svc process. */
export interface Spawned {
  pid: number | undefined;
  /** Its output once it is ready, or its exit code and error output if it exits before that. */
  ready: Promise<{ output: string } | { code: number; error: string }>;
  /** Detaches from it, so that this process can exit. */
  release(): void;
}

/** 128 and the number of the signal if one ended it. `failure`: the system could not start it. */
export type ChildEnd = { exitCode: number } | { failure: unknown };

/** Follows a command line that this process runs for a program, such as a tool of `svc mcp`. */
export interface RunObserver {
  /** How far a long run is, about once a second. The total of rows is an estimate, if it is known at all. */
  progress(state: { rows?: number; total?: number | undefined; text: string }): void;
  /** A command to run next, such as the one that lists the next items. */
  next(command: string): void;
}

/** The exit reason for each signal. */
export type SignalReason = 'hangup' | 'interrupted' | 'terminated';

/** The host and start time of a process. Only for comparison. */
export interface ProcessIdentity {
  host: string;
  start: string;
}

export interface Host {
  env: Record<string, string | undefined>;
  platform: string;
  home: string;
  cwd: string;
  /** The path of the program, as it was started. */
  script: string;
  version: string;
  /** Version of Node, as `v20.20.2`. */
  nodeVersion: string;
  pid: number;
  /** Together with `pid` it identifies this process uniquely; undefined if the system does not provide it. */
  identity: ProcessIdentity | undefined;
  /** Whether a process with that id, and with that start time if given, is running. */
  isAlive(pid: number, start?: string): boolean;
  stdin: Readable;
  stdinIsTty: boolean;
  /** Passes each key on the terminal to `onKey`, until the returned function is called. */
  readKeys(onKey: (key: string) => void): Promise<() => void>;
  stdout: OutputStream;
  stderr: OutputStream;
  clock: WireClock & { every(ms: number, tick: () => void): () => void };
  /** A number in [0, 1). */
  random: () => number;
  /** A new UUID. */
  newId: () => string;
  /** Aborts at the first signal; its reason is a `SignalReason`. */
  shutdownSignal: AbortSignal;
  /** Aborts at the second signal. */
  forceSignal: AbortSignal;
  /** Rejects with an uncaught exception, for example from a callback. */
  uncaughtError: Promise<never>;
  /** Makes the garbage collector run more often once much memory is in use, until the returned function is called. */
  limitHeapGrowth(): () => void;
  /** Starts svc in a detached process. */
  spawn(argv: readonly string[]): Promise<Spawned>;
  /**
   * Runs a command that shares the standard streams and gets the signals that svc gets, and waits for its end. With
   * `output`, its standard output goes to standard error.
   */
  runChild(
    line: readonly [file: string, ...args: string[]],
    options: Pick<Host, 'env' | 'cwd'> & { output?: 'stderr' | undefined },
  ): Promise<ChildEnd>;
  observer?: RunObserver;
  /** Values of options are never read from files (`@file`) or variables (`env:NAME`), nor credentials from variables. */
  refusesReferences?: true;
  /** The path of a file that a file names, such as a plan. Throws a usage error if the command must not use it. */
  resolveNamedPath?(file: string, source: string): string;
  /** Replaces the network in tests. */
  openTransport?: (options: TransportOptions) => Transport;
}

/** Thrown by an output stream if the pipe is closed. */
export class BrokenPipeError extends Error {
  constructor() {
    super('the output pipe is closed');
    this.name = 'BrokenPipeError';
  }
}
