import type { Input, OperationId } from '../service/operations/index.ts';
import type { NamedProxy, Remedy } from './network-errors.ts';
import type { WireEvent } from './request.ts';
import type { RetrySettings } from './retry.ts';
import type { Transport } from './transport/transport.ts';

/** The clock of the client: dates, durations, abortable waits and deadlines. */
export interface WireClock {
  /** Milliseconds since 1970. The system clock can be changed, so do not measure durations with it. */
  now(): number;
  /** Milliseconds on a monotonic clock, for durations. */
  ticks(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a signal that aborts after `ms` or when `signal` aborts. `clear` frees its timer. */
  deadline(ms: number, signal?: AbortSignal): { signal: AbortSignal; clear(): void };
}

/** Where a base URL comes from, for messages. */
export interface BaseUrlOrigin {
  /** Such as `SVC_BASE_URL` or `profile work`. */
  source: string;
  /** The commands that show it, if any. */
  next: readonly string[];
}

export interface ClientOptions extends Pick<RetrySettings, 'retries' | 'maxWaitMs' | 'random'> {
  /** Normalized base URL: no trailing slash, no `/v1`. */
  baseUrl: string;
  baseUrlOrigin?: BaseUrlOrigin | undefined;
  apiKey: string;
  transport: Transport;
  /** The remedy for a refused connection, such as to start the sandbox. */
  connectionRefused?: Remedy | undefined;
  /** The proxy that the transport uses, for messages. */
  proxy?: NamedProxy;
  clock: WireClock;
  /** Timeout of one attempt in milliseconds. */
  timeoutMs: number;
  /** Returns a new idempotency key. */
  newKey: () => string;
  /** The idempotency key of the whole command. The requests after the first send hashes derived from it. */
  idempotencyKey?: string;
  userAgent: string;
  /** Replaces a secret in all output. */
  mask: string;
  /** Returns the path of a secret field whose value is the mask, or undefined. */
  maskedSecret: (body: Uint8Array) => string | undefined;
  /** Returns the texts of secret fields in a body, which are redacted from an error that repeats them. */
  secretTexts: (body: Uint8Array) => string[];
  /** Do not send writes; each throws a `DryRun` that contains its request. */
  dryRun?: boolean;
  observe?: (event: WireEvent) => void;
  /** Called with the value of every successful response of an operation. */
  onResponse?: (id: OperationId, input: Input<OperationId>, value: unknown) => void;
}
