// What a client is made from.
import type { NamedProxy } from './connection-error.ts';
import type { Input, OperationId } from './operations/index.ts';
import type { RetrySettings } from './retry.ts';
import type { Transport } from './transport/transport.ts';
import type { WireEvent } from './wire-event.ts';

/** What the client asks of time: dates, intervals, waiting that can be interrupted, and deadlines. */
export interface WireClock {
  /** The date, as milliseconds since 1970. It may be set back or ahead: no interval is measured with it. */
  now(): number;
  /** Milliseconds since some moment, which go on evenly whatever becomes of the date. */
  ticks(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A signal that aborts after `ms` or with `signal`; `clear` frees its timer. */
  deadline(ms: number, signal?: AbortSignal): { signal: AbortSignal; clear(): void };
}

export interface ClientOptions extends Pick<RetrySettings, 'retries' | 'maxWaitMs' | 'random'> {
  /** Normalized base address: no trailing slash, no `/v1`. */
  baseUrl: string;
  apiKey: string;
  transport: Transport;
  /** What to do when nothing listens at the address, where that is known. */
  whenRefused?: string;
  /** What the transport goes through, for messages. */
  proxy?: NamedProxy;
  clock: WireClock;
  /** Milliseconds an attempt may take. */
  timeoutMs: number;
  /** A fresh idempotency key. */
  newKey: () => string;
  /** The key given for the whole command; each of several requests sends a hash derived from it. */
  idempotencyKey?: string;
  userAgent: string;
  /** Stands for a secret in everything that is shown. */
  mask: string;
  /** The path of a secret field of a JSON body whose value is the mask, or undefined. */
  maskedSecret: (body: Uint8Array) => string | undefined;
  /** Writes are not sent; each throws a `DryRun` that shows its request. */
  dryRun?: boolean;
  observe?: (event: WireEvent) => void;
  /** Told of every answer of an operation. */
  answered?: (id: OperationId, input: Input<OperationId>, answer: unknown) => void;
}
