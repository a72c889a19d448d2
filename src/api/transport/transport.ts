// Bytes to the service and back: what both engines promise, and what they share.
// Knows nothing of operations, retries, redirects or secrets; those live above both, once.

export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: Uint8Array;
  signal: AbortSignal;
  /** The largest body that a response of this status may have, in bytes as sent. */
  limit: (status: number) => number;
}

export interface WireResponse {
  status: number;
  /** Names in lower case; repeated headers are joined with `, `. */
  headers: Record<string, string>;
  /** Empty for an error whose body exceeds its limit: its status says what matters. */
  bytes: Buffer;
}

export interface Transport {
  (request: WireRequest): Promise<WireResponse>;
  /** Closes idle connections, so that the process can end. */
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Certificates to trust besides the system's, PEM. */
  ca?: string;
  /** How many connections are kept open side by side. */
  connections: number;
  /** What every connection goes through; used by the undici engine alone. */
  proxy?: ProxyAddress;
}

export interface ProxyAddress {
  /** `http://` or `https://`, without user name and password. */
  url: string;
  /** What `proxy-authorization` says. */
  authorization?: string;
}

/** The proxy cannot be reached, or will not connect; its cause says why, or `status`. */
export class ProxyFailure extends Error {
  readonly status: number | undefined;

  constructor(cause: Error, status?: number) {
    super(cause.message, { cause });
    this.name = 'ProxyFailure';
    this.status = status;
  }
}

/** An error with a code, as the system's own have. */
export const failure = (code: string, message: string) =>
  Object.assign(new Error(message), { code });

/** The chunks of a body up to a limit. `take` returns false once a chunk goes beyond it. */
export function createCollector(limit: number) {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    take(chunk: Buffer): boolean {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      return size <= limit;
    },
    bytes: () => Buffer.concat(chunks),
  };
}

/** What becomes of a body beyond its limit: none for an error, a failure for anything else. */
export function withoutBody(status: number): Buffer {
  if (status >= 300) return Buffer.alloc(0);
  throw failure('SVC_ANSWER_LIMIT', 'the body is larger than its limit');
}

/** Names in lower case; repeated headers joined. */
export function joinHeaders(headers: Record<string, string | string[] | undefined>) {
  const joined: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined)
      joined[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return joined;
}

/** The authorities to trust: those Node knows, and one more. */
export async function trusted(extra: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls');
  return [...rootCertificates, extra];
}
