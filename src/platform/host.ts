// The outside of the program as one value: streams, environment, clock, chance, signals.
// Made from the process by `processWorld` for the real program, and by hand in tests.
import type { Readable, Writable } from 'node:stream';
import type { WireClock } from '../api/client-options.ts';
import type { Transport, TransportOptions } from '../api/transport/transport.ts';

/** A standard stream to write to. */
export interface OutputStream {
  isTty: boolean;
  /** Columns of the terminal; 80 when it does not say. */
  columns: number;
  /** Resolves when the stream has room for more. Rejects with `ReaderGone` when nobody reads any more. */
  write(text: string): Promise<void>;
  /** The stream itself, for prompts. */
  stream: Writable;
}

/** A second svc that goes on by itself. */
export interface Spawned {
  pid: number | undefined;
  /** What it printed once it was ready, or what it said on standard error when it ended before. */
  ready: Promise<{ output: string } | { code: number; error: string }>;
  /** Lets go of it, so that this process can end. */
  release(): void;
}

/** Which signal interrupted the program. */
export type SignalReason = 'hangup' | 'interrupted' | 'terminated';

/** Where a process runs, and when it began: comparable, no more. */
export interface ProcessIdentity {
  host: string;
  start: string;
}

export interface Host {
  env: Record<string, string | undefined>;
  platform: string;
  home: string;
  cwd: string;
  version: string;
  /** Version of Node, as `v20.20.2`. */
  nodeVersion: string;
  pid: number;
  /** With it the id of this process is no one else's, now or later; undefined where the system does not say. */
  identity: ProcessIdentity | undefined;
  /** Whether a process of that id, and of that start, runs on this machine. */
  isAlive(pid: number, start?: string): boolean;
  stdin: Readable;
  stdinIsTty: boolean;
  stdout: OutputStream;
  stderr: OutputStream;
  clock: WireClock & { every(ms: number, tick: () => void): () => void };
  /** A number in [0, 1). */
  random: () => number;
  /** A fresh UUID. */
  newId: () => string;
  /** Aborts at the first signal; its reason is the `SignalEnding`. */
  shutdownSignal: AbortSignal;
  /** Aborts at the second signal. */
  forceSignal: AbortSignal;
  /** Rejects with what was thrown where nobody could catch it, as in a callback. */
  uncaughtError: Promise<never>;
  /** Once much memory is in use: has garbage collected early rather than late from then on. */
  limitHeapGrowth(): void;
  /** Starts this program once more, apart from this one. */
  spawn(argv: readonly string[]): Promise<Spawned>;
  /** Stands in for the network, in tests. */
  openTransport?: (options: TransportOptions) => Transport;
}

/** Thrown by a sink when the reader of a pipe has gone away. */
export class BrokenPipeError extends Error {
  constructor() {
    super('the reader of the output has gone');
    this.name = 'ReaderGone';
  }
}
