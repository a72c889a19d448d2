// The interface of the two HTTP transports, and their shared functions.
// Operations, retries, redirects and secrets are handled by the callers.

export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  signal: AbortSignal;
  /** Returns the maximum body size for a response status, in bytes before decompression. */
  limit: (status: number) => number;
}

export interface WireResponse {
  status: number;
  /** Names are in lower case; repeated headers are joined with `, `. */
  headers: Record<string, string>;
  /** Empty for an error response whose body exceeds its limit. */
  bytes: Buffer;
}

export interface Transport {
  (request: WireRequest): Promise<WireResponse>;
  /** Closes all connections, so that the process can exit. */
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Additional certificates to trust, in PEM format. */
  ca?: string;
  /** Maximum number of open connections. */
  connections: number;
  /** Proxy for all connections; only the undici transport supports it. */
  proxy?: ProxyAddress;
}

export interface ProxyAddress {
  /** `http://` or `https://`, without user name and password. */
  url: string;
  /** Value of the `proxy-authorization` header. */
  authorization?: string;
}

/** The proxy cannot be reached (see `cause`), or rejects the connection (see `status`). */
export class ProxyFailure extends Error {
  readonly status: number | undefined;

  constructor(cause: Error, status?: number) {
    super(cause.message, { cause });
    this.name = 'ProxyFailure';
    this.status = status;
  }
}

/** Returns an error with a code, like a system error. */
export const codedError = (code: string, message: string) =>
  Object.assign(new Error(message), { code });

/** Collects the chunks of a body. `add` returns false once the body exceeds the limit. */
export function createCollector(limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add(chunk: Buffer): boolean {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      return size <= limit;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

/** For a body over the limit: returns an empty body for an error response, and throws for any other. */
export function emptyBodyOrThrow(status: number): Buffer {
  if (status >= 300) return Buffer.alloc(0);
  throw codedError('SVC_RESPONSE_LIMIT', 'the body is larger than its limit');
}

/** Converts names to lower case and joins repeated headers with `, `. */
export function joinHeaders(headers: Record<string, string | string[] | undefined>) {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/** Returns Node's certificate authorities and `extra`. */
export async function trustedAuthorities(extra: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, extra];
}
