import type { Method } from '../service/operation.ts';

export interface CallOptions {
  signal?: AbortSignal;
  idempotencyKey?: string;
  /**
   * Called before a retry if the service may have applied an earlier attempt, unless it is known to honor
   * idempotency keys. Returns the result of that attempt if it can be found.
   */
  findResult?: () => Promise<{ value: unknown } | undefined>;
}

/** A successful response. */
export interface Exchange<T> {
  value: T;
  status: number;
  headers: Record<string, string>;
  /** Number of requests sent, including retries. */
  attempts: number;
  /** The service may have applied an earlier attempt that got no usable response. */
  maybeApplied?: boolean;
}

/** A request with its target and its encoded body; it does not need to be an operation of the registry. */
export interface RawRequest extends CallOptions {
  method: Method;
  /** Path with its query string. */
  target: string;
  body?: Uint8Array;
  headers?: Record<string, string>;
  hasDataField?: boolean;
  /** The user gave the path. If the server does not have it, report the path and not the base URL as wrong. */
  isUserPath?: boolean;
  /** A server may lack the operation. If it does, report that, and not the base URL as wrong. */
  isOptional?: boolean;
  /** A response without any of these members does not confirm the write. */
  resultMembers?: readonly string[] | undefined;
  /** Ends the wait between attempts with the error of the last one. Does not abort an attempt. */
  retrySignal?: AbortSignal;
  /** Maximum body size of a successful response in bytes, if the default is too small. */
  responseLimit?: number;
  /** Sending the request twice has the same effect as sending it once, even with another idempotency key. */
  idempotent?: boolean;
  /** The result of the command does not depend on it, so it has no key and leaves the keys of other requests unchanged. */
  isLookUp?: boolean;
  /** Called before the wait for each retry. */
  onRetry?: (retry: { status: number | undefined; afterMs: number }) => void;
}

// Events of HTTP requests, for `--debug` and run reports.

/** Contains secrets: redact before output. */
export type WireEvent =
  | {
      type: 'request';
      method: string;
      url: string;
      headers: Record<string, string>;
      body?: Uint8Array;
      attempt: number;
    }
  | {
      type: 'response';
      method: string;
      url: string;
      status: number;
      headers: Record<string, string>;
      text: string;
      ms: number;
    }
  | { type: 'failure'; method: string; url: string; error: unknown; ms: number }
  | { type: 'retry'; afterMs: number; reason: string };
