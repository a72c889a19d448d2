// Failures without an answer → SvcError: names, timeouts, resets and TLS, each with its own remedy.
import { SvcError, systemCode } from '../errors.ts';
import type { Outcome } from './retry.ts';

export interface Attempted {
  baseUrl: string;
  method: string;
  path: string;
  timeoutMs: number;
}

interface Explanation {
  what: string;
  hint: string;
  /** Trying again cannot help. */
  final?: true;
}

const explanations: Record<string, Explanation> = {
  ECONNREFUSED: {
    what: 'nothing listens there',
    hint: 'Start the service, or check the base URL with `svc profiles show`.',
  },
  ENOTFOUND: {
    what: 'the host name is unknown',
    hint: 'Check the base URL with `svc profiles show`.',
    final: true,
  },
  EAI_AGAIN: { what: 'the name server did not answer', hint: 'Check the network and try again.' },
  ECONNRESET: {
    what: 'the connection was reset',
    hint: 'Try again; when it stays, look at proxies in between.',
  },
  EPIPE: {
    what: 'the connection was closed while sending',
    hint: 'Try again; when it stays, look at proxies in between.',
  },
  UND_ERR_SOCKET: {
    what: 'the connection was closed',
    hint: 'Try again; when it stays, look at proxies in between.',
  },
  ETIMEDOUT: {
    what: 'the connection timed out',
    hint: 'Check the network, or give it longer with --timeout.',
  },
  CERT_HAS_EXPIRED: {
    what: 'its certificate has expired',
    hint: 'Renew the certificate of the service.',
    final: true,
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    what: 'its certificate is self-signed',
    hint: 'Trust it with --ca-file <pem>.',
    final: true,
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    what: 'its certificate chain ends in an unknown authority',
    hint: 'Trust that authority with --ca-file <pem>.',
    final: true,
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    what: 'its certificate comes from an unknown authority',
    hint: 'Trust that authority with --ca-file <pem>.',
    final: true,
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    what: 'its certificate comes from an unknown authority',
    hint: 'Trust that authority with --ca-file <pem>.',
    final: true,
  },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    what: 'its certificate is for another host',
    hint: 'Use the host name that the certificate names.',
    final: true,
  },
  EPROTO: {
    what: 'it does not speak TLS',
    hint: 'Check whether the base URL should begin with http://.',
    final: true,
  },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    what: 'it does not speak TLS',
    hint: 'Check whether the base URL should begin with http://.',
    final: true,
  },
  SVC_ANSWER_LIMIT: {
    what: 'the answer is too large',
    hint: 'Ask for fewer items with --page-size.',
    final: true,
  },
  ERR_BUFFER_TOO_LARGE: {
    what: 'the answer is too large once decompressed',
    hint: 'Ask for fewer items with --page-size.',
    final: true,
  },
};

/** The error for an attempt that got no whole answer. */
export function connectionError(
  error: unknown,
  attempted: Attempted,
): SvcError & { outcome: Outcome } {
  const { baseUrl, path, timeoutMs } = attempted;
  if (isTimeout(error)) {
    const timedOut = new SvcError(
      'unavailable',
      `${baseUrl} did not answer ${attempted.method} ${path} within ${timeoutMs / 1000} s`,
      { path, hint: 'Try again, or give it longer with --timeout.', cause: error },
    );
    return Object.assign(timedOut, { outcome: { failure: 'timeout' } as const });
  }
  const code = codeOf(error);
  const known = code === undefined ? undefined : explanations[code];
  const what = known?.what ?? (error instanceof Error ? error.message : String(error));
  const failed = new SvcError('unavailable', `${baseUrl} cannot be reached: ${what}`, {
    path,
    hint: known?.hint ?? 'Try again; `svc doctor` looks for the cause.',
    cause: error,
  });
  return Object.assign(failed, {
    outcome: { failure: known?.final ? 'final' : 'network' } as const,
  });
}

/** The outcome that an error of an attempt carries, for the retry policy. */
export function failureOf(error: unknown): Outcome | undefined {
  return error instanceof SvcError && 'outcome' in error ? (error.outcome as Outcome) : undefined;
}

const isTimeout = (error: unknown) => error instanceof Error && error.name === 'TimeoutError';

/** The system's code, also inside an aggregate (several addresses of a host) or a cause. */
function codeOf(error: unknown): string | undefined {
  const code = systemCode(error);
  if (code !== undefined) return code;
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return error instanceof Error && error.cause ? codeOf(error.cause) : undefined;
}
