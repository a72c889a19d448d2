// Network errors by their code from Node, OpenSSL, undici or this client: message, hint, and whether to retry.
import {
  type ErrorDetails,
  type ExitReason,
  errorMessage,
  openFilesHint,
  SvcError,
  systemCode,
} from '../core/errors.ts';
import { ProxyFailure } from './transport/transport.ts';

interface NetworkProblem {
  /** Completes `<base URL> cannot be reached: …`. */
  cause?: string;
  /** Completes `<request> returned …`: a server responded, but not with a valid response. */
  response?: string;
  hint: string;
  next?: readonly string[];
  /** There was no connection, so the service has not seen the request. */
  isUnsent?: true;
  /** A retry cannot succeed. */
  isFinal?: true;
  /** The cause is this machine, not the service or the network. */
  isLocal?: true;
}

const retryHint =
  'Try again. If the error persists, check the proxies between this machine and the service.';
const showProfile = ['svc profiles show'];
const checkAddressHint = 'Check the host and port of the base URL.';
const tryHttpHint = 'Check whether the base URL should start with http://.';
const trustAuthorityHint = 'Trust the certificate authority with --ca-file <pem>.';
const fewerItemsHint =
  'Check the base URL. If it is correct, request fewer items at once with --page-size.';

const unknownAuthority: NetworkProblem = {
  cause: 'its certificate is issued by an unknown certificate authority',
  hint: trustAuthorityHint,
  isFinal: true,
};
const notTls: NetworkProblem = { cause: 'it does not speak TLS', hint: tryHttpHint, isFinal: true };
const handshakeFailed: NetworkProblem = {
  cause: 'the TLS handshake failed',
  hint: 'The service may require another TLS version, or a client certificate, which svc does not support.',
  isFinal: true,
};
const noRoute: NetworkProblem = {
  cause: 'the network has no route to it',
  hint: 'Check the network, and whether it needs a VPN or a proxy.',
};
const connectionTimedOut: NetworkProblem = {
  cause: 'the connection timed out',
  hint: 'Check the network, or set a longer --timeout.',
};
const notHttp: NetworkProblem = {
  response: 'something other than HTTP',
  hint: 'Check the host and port of the base URL, and whether it should start with https://.',
  isFinal: true,
};
const headersTooLarge: NetworkProblem = {
  response: 'headers that are too large',
  hint: checkAddressHint,
  next: showProfile,
  isFinal: true,
};
const protocolSwitch: NetworkProblem = {
  response: 'a switch to another protocol',
  hint: checkAddressHint,
  next: showProfile,
  isFinal: true,
};

/** The connection was closed before the response, or in the middle of it. */
const connectionClosed: NetworkProblem = { cause: 'the connection was closed', hint: retryHint };
const truncatedResponse: NetworkProblem = { response: 'a truncated response', hint: retryHint };
const invalidHttp: NetworkProblem = { response: 'malformed HTTP', hint: retryHint };

const tooManyFiles: NetworkProblem = {
  cause: 'this machine has too many open files',
  hint: openFilesHint,
  isFinal: true,
  isLocal: true,
};

const problemsByCode: Record<string, NetworkProblem> = {
  ECONNREFUSED: {
    cause: 'the connection was refused',
    hint: 'Start the service, or check the base URL.',
    next: showProfile,
    isUnsent: true,
  },
  ENOTFOUND: {
    cause: 'the host name is unknown',
    hint: 'Check the base URL.',
    next: showProfile,
    isFinal: true,
  },
  EAI_AGAIN: {
    cause: 'the DNS server did not respond',
    hint: 'Check the network and try again.',
    isUnsent: true,
  },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ECONNRESET: { cause: 'the connection was reset', hint: retryHint },
  EPIPE: { cause: 'the connection was closed while sending', hint: retryHint },
  UND_ERR_SOCKET: connectionClosed,
  ETIMEDOUT: connectionTimedOut,
  UND_ERR_CONNECT_TIMEOUT: connectionTimedOut,
  CERT_HAS_EXPIRED: {
    cause: 'its certificate has expired',
    hint: 'Renew the certificate of the service.',
    isFinal: true,
  },
  CERT_NOT_YET_VALID: {
    cause: 'its certificate is not valid yet',
    hint: 'Check the clock of this machine.',
    isFinal: true,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    cause: 'its certificate is self-signed',
    hint: 'Trust it with --ca-file <pem>.',
    isFinal: true,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    cause: 'its certificate chain ends in an unknown certificate authority',
    hint: trustAuthorityHint,
    isFinal: true,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    cause: 'its certificate is for another host',
    hint: 'Use the host name in the certificate.',
    isFinal: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: notTls,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: notTls,
  EPROTO: handshakeFailed,
  HPE_INVALID_CONSTANT: notHttp,
  HPE_HEADER_OVERFLOW: headersTooLarge,
  UND_ERR_HEADERS_OVERFLOW: headersTooLarge,
  SVC_UPGRADE: protocolSwitch,
  SVC_RESPONSE_LIMIT: { response: 'more than 32 MB', hint: fewerItemsHint, isFinal: true },
  ERR_BUFFER_TOO_LARGE: {
    response: 'more than 32 MB once decompressed',
    hint: fewerItemsHint,
    isFinal: true,
  },
  SVC_CODING: {
    response: 'an unsupported content encoding',
    hint: 'svc accepts only gzip. Check proxies between this machine and the service.',
    isFinal: true,
  },
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  Z_DATA_ERROR: { response: 'damaged gzip data', hint: retryHint },
  Z_BUF_ERROR: { response: 'truncated gzip data', hint: retryHint },
};

/** Errors of OpenSSL, Node and undici that have no code of their own, by message. */
const problemsByMessage: readonly (readonly [RegExp, NetworkProblem])[] = [
  [/wrong version number|packet length too long/, notTls],
  [/\(Expected HTTP\//, notHttp],
  [/^bad upgrade$/, protocolSwitch],
  [/^aborted$/, truncatedResponse],
];

/** Returns the known problem for an error's code and message. */
function networkProblem(code: string | undefined, message: string): NetworkProblem | undefined {
  const problem =
    problemsByMessage.find(([pattern]) => pattern.test(message))?.[1] ?? problemsByCode[code ?? ''];
  if (problem || code === undefined) return problem;
  if (code.startsWith('HPE_')) return invalidHttp;
  return code.startsWith('ERR_SSL_') ? handshakeFailed : undefined;
}

// Converts failures without a complete response to errors. Each cause (DNS, timeout, reset, TLS, proxy) has its own hint.

/** A proxy and where it is configured. Used in error messages. */
export interface NamedProxy {
  url: string;
  /** The environment variable that sets it. */
  variable: string;
}

/** A sentence, and the commands that it is about. */
export interface Remedy {
  hint: string;
  next?: readonly string[];
}

interface AttemptDetails {
  baseUrl: string;
  method: string;
  path: string;
  timeoutMs: number;
  connectionRefused?: Remedy | undefined;
  proxy?: NamedProxy;
}

const unknownProblem: Remedy = { hint: 'Try again, or find the cause.', next: ['svc doctor'] };

/** Returns the error for an attempt without a complete response. */
export function connectionError(error: unknown, details: AttemptDetails): SvcError {
  const { baseUrl, method, path, proxy } = details;
  if (isTimeout(error)) {
    const through = proxy ? ` (through the proxy ${proxy.url})` : '';
    return attemptError(
      `${method} ${path} on ${baseUrl} timed out after ${details.timeoutMs / 1000} s${through}`,
      { path, hint: 'Try again, or set a longer --timeout.', cause: error },
      'timeout',
    );
  }
  if (proxy && error instanceof ProxyFailure) return proxyError(error, proxy, details);
  const problem = explain(error);
  const message = problem?.response
    ? `${method} ${path} on ${baseUrl} returned ${problem.response}`
    : `${baseUrl} cannot be reached: ${problem?.cause ?? errorMessage(error)}`;
  const refused = findCode(error) === 'ECONNREFUSED' ? details.connectionRefused : undefined;
  const { hint, next } = refused ?? problem ?? unknownProblem;
  const httpsHint = problem?.response ? '' : tlsHint(error, baseUrl);
  return attemptError(
    message,
    { path, hint: hint + httpsHint, next, cause: error },
    problem?.isFinal ? 'final' : problem?.isUnsent ? 'unsent' : 'network',
    problem?.isLocal ? 'local' : 'unavailable',
  );
}

/** Returns the error for a proxy that cannot be reached or that rejects the connection. */
function proxyError(
  error: ProxyFailure,
  { url, variable }: NamedProxy,
  { baseUrl, path }: AttemptDetails,
): SvcError {
  const bypass = `Check ${variable}, or add the host of the service to NO_PROXY.`;
  const { status } = error;
  if (status !== undefined) {
    const login = `Add the user name and password to ${variable}: http://user:password@host:port.`;
    return attemptError(
      `The proxy ${url} rejected the connection to ${baseUrl}: status ${status}`,
      { path, hint: status === 407 ? login : bypass, cause: error },
      // A 5xx may be temporary, for example if the proxy is overloaded. A 4xx is permanent.
      status < 500 ? 'final' : 'network',
    );
  }
  const problem = explain(error);
  const cause =
    problem?.cause ?? (problem?.response ? `it returned ${problem.response}` : undefined);
  return attemptError(
    `The proxy ${url} cannot be reached: ${cause ?? errorMessage(error)}`,
    { path, hint: problem?.hint.includes('--ca-file') ? problem.hint : bypass, cause: error },
    problem?.isFinal ? 'final' : 'network',
  );
}

const attemptError = (
  message: string,
  details: Pick<ErrorDetails, 'path' | 'hint' | 'next' | 'cause'>,
  failure: 'timeout' | 'network' | 'unsent' | 'final',
  exitReason: ExitReason = 'unavailable',
) => new SvcError(exitReason, message, { ...details, outcome: { failure } });

/** Returns a hint if plain HTTP may have been sent to a TLS server: it closes the connection without a response. */
const tlsHint = (error: unknown, baseUrl: string) =>
  baseUrl.startsWith('http:') && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(findCode(error) ?? '')
    ? ' Check whether the base URL should start with https://.'
    : '';

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

function explain(error: unknown): NetworkProblem | undefined {
  const problem = networkProblem(findCode(error), errorMessage(error));
  return problem === connectionClosed && countReadBytes(error) > 0 ? truncatedResponse : problem;
}

/** Returns the number of bytes received before the error. Errors from undici include the socket. */
const countReadBytes = (error: unknown) =>
  (error as { socket?: { bytesRead?: number } | null }).socket?.bytesRead ?? 0;

/**
 * Returns the system error code, which can be in the cause of the error, or in an AggregateError if several addresses of
 * the host were tried.
 */
function findCode(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code !== undefined) return code;
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return error instanceof Error && error.cause ? findCode(error.cause) : undefined;
}
