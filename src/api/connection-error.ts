// Failures without an answer → SvcError: names, timeouts, resets, TLS and proxies, each with its own remedy.
import { type ErrorDetails, type ExitReason, SvcError, systemCode } from '../core/errors.ts';
import { closed, cutOff, type Explanation, explanationOf } from './network-errors.ts';
import type { Outcome } from './retry.ts';
import { ProxyFailure } from './transport/transport.ts';

/** A proxy as messages name it. */
export interface NamedProxy {
  url: string;
  /** The variable that names it. */
  variable: string;
}

export interface Attempted {
  baseUrl: string;
  method: string;
  path: string;
  timeoutMs: number;
  /** What to do when nothing listens there. */
  whenRefused?: string;
  proxy?: NamedProxy;
}

type Failed = SvcError & { outcome: Outcome };

/** The error for an attempt that got no whole answer. */
export function connectionError(error: unknown, attempted: Attempted): Failed {
  const { baseUrl, method, path, proxy } = attempted;
  if (isTimeout(error)) {
    const through = proxy ? `, asked through the proxy ${proxy.url}` : '';
    return failed(
      `${baseUrl} did not answer ${method} ${path} within ${attempted.timeoutMs / 1000} s${through}`,
      { path, hint: 'Try again, or give it longer with --timeout.', cause: error },
      'timeout',
    );
  }
  if (proxy && error instanceof ProxyFailure) return proxyError(error, proxy, attempted);
  const known = explained(error);
  const message = known?.answer
    ? `${baseUrl} answered ${method} ${path} with ${known.answer}`
    : `${baseUrl} cannot be reached: ${known?.what ?? wordsOf(error)}`;
  const refused = codeOf(error) === 'ECONNREFUSED' ? attempted.whenRefused : undefined;
  const hint = refused ?? known?.hint ?? 'Try again; `svc doctor` looks for the cause.';
  const orTls = known?.answer ? '' : maybeTls(error, baseUrl);
  return failed(
    message,
    { path, hint: hint + orTls, cause: error },
    known?.final ? 'final' : 'network',
    known?.isLocal ? 'local' : 'unavailable',
  );
}

/** The proxy cannot be reached or will not connect. */
function proxyError(
  error: ProxyFailure,
  { url, variable }: NamedProxy,
  { baseUrl, path }: Attempted,
): Failed {
  const bypass = `Check ${variable}, or name the service in NO_PROXY.`;
  const { status } = error;
  if (status !== undefined) {
    const login = `Put user name and password into ${variable}: http://user:password@host:port.`;
    return failed(
      `The proxy ${url} refused the connection to ${baseUrl}: status ${status}`,
      { path, hint: status === 407 ? login : bypass, cause: error },
      // What is overloaded may have room in a moment; what forbids goes on forbidding.
      status < 500 ? 'final' : 'network',
    );
  }
  const known = explained(error);
  const what = known?.what ?? (known?.answer ? `it answered with ${known.answer}` : undefined);
  return failed(
    `The proxy ${url} cannot be reached: ${what ?? wordsOf(error)}`,
    { path, hint: known?.hint.includes('--ca-file') ? known.hint : bypass, cause: error },
    known?.final ? 'final' : 'network',
  );
}

const failed = (
  message: string,
  facts: ErrorDetails,
  failure: 'timeout' | 'network' | 'final',
  exitReason: ExitReason = 'unavailable',
): Failed => Object.assign(new SvcError(exitReason, message, facts), { outcome: { failure } });

/** A service that speaks TLS hangs up on plain HTTP without a word. */
const maybeTls = (error: unknown, baseUrl: string) =>
  baseUrl.startsWith('http:') && /^(ECONNRESET|UND_ERR_SOCKET)$/.test(codeOf(error) ?? '')
    ? ' Check whether the base URL should begin with https://.'
    : '';

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function explained(error: unknown): Explanation | undefined {
  const known = explanationOf(codeOf(error), wordsOf(error));
  return known === closed && bytesReadOf(error) > 0 ? cutOff : known;
}

/** How much of an answer had come, as undici's errors of a socket tell. */
const bytesReadOf = (error: unknown) =>
  (error as { socket?: { bytesRead?: number } | null }).socket?.bytesRead ?? 0;

/** The system's code, also inside an aggregate (several addresses of a host) or a cause. */
function codeOf(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code !== undefined) return code;
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return error instanceof Error && error.cause ? codeOf(error.cause) : undefined;
}
