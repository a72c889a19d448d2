// Requests without a complete response → SvcError. Each cause (DNS, timeout, reset, TLS, proxy) has its own hint.
import {
  type ErrorDetails,
  type ExitReason,
  errorMessage,
  SvcError,
  systemCode,
} from '../core/errors.ts';
import {
  connectionClosed,
  type NetworkProblem,
  networkProblem,
  truncatedResponse,
} from './network-errors.ts';
import { ProxyFailure } from './transport/transport.ts';

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

export interface AttemptDetails {
  baseUrl: string;
  method: string;
  path: string;
  timeoutMs: number;
  /** The remedy for a refused connection. */
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
 * Returns the system error code. It can be in the cause of the error, or in an AggregateError if several addresses of
 * the host were tried.
 */
function findCode(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code !== undefined) return code;
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return error instanceof Error && error.cause ? findCode(error.cause) : undefined;
}
