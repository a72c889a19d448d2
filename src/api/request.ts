// What a caller gives to send a request, and what comes back.
import type { Method } from './operation.ts';

export interface CallOptions {
  signal?: AbortSignal;
  idempotencyKey?: string;
  /**
   * Called before a request is sent again whose earlier attempt may have been carried out, unless the service is
   * known to honor idempotency keys. Returns the result of that attempt when it can be found.
   */
  findResult?: () => Promise<{ value: unknown } | undefined>;
}

/** An answer with what is known of how it came about. */
export interface Exchange<T> {
  value: T;
  status: number;
  headers: Record<string, string>;
  /** Requests sent for it, retries included. */
  attempts: number;
  /** An attempt before may have been carried out, although no answer said so. */
  uncertain?: boolean;
}

/** A request that is no operation of the registry, or one whose body is already in bytes. */
export interface RawRequest extends CallOptions {
  method: Method;
  /** Path with its query string. */
  target: string;
  body?: Uint8Array;
  headers?: Record<string, string>;
  ownData?: boolean;
  /** A person typed the path: when the server has none like it, the path is wrong and not the server. */
  typedPath?: boolean;
  /** Ends waiting between attempts, with the error of the last one; an attempt under way goes on. */
  patience?: AbortSignal;
  /** Largest body of a success in bytes, where the usual limit is too small. */
  responseLimit?: number;
  /** Sending the request twice has the effect of sending it once, whatever its idempotency key. */
  idempotent?: boolean;
  /** Told before each wait for another attempt. */
  retrying?: (retry: { status: number | undefined; afterMs: number }) => void;
}
