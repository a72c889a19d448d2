// The exit codes of svc and the error class that carries an exit reason. Does not depend on HTTP, argv or terminals.

/** Every exit code with its name in JSON errors and its meaning. `svc help exit-codes` prints this table. */
export const exitCodes = {
  ok: {
    code: 0,
    meaning: 'success, including an empty list and a cancellation with nothing left to cancel',
  },
  bug: { code: 1, meaning: 'unexpected error in svc; run again with --debug and report it' },
  usage: {
    code: 2,
    meaning: 'invalid command line or input, or a missing confirmation; nothing was written',
  },
  partial: { code: 3, meaning: 'some items failed or were skipped; the others succeeded' },
  auth: {
    code: 4,
    meaning:
      'no API key, no base URL, a rejected key (401, 403) or a key saved for another address',
  },
  notFound: {
    code: 5,
    meaning: 'the named resource does not exist, or the server does not offer the operation',
  },
  refused: {
    code: 6,
    meaning:
      'the service rejected the request (400, 402, 409, 413, 422) or did not confirm a write, all items of a batch failed, or deleted items ended a listing early',
  },
  unavailable: {
    code: 7,
    meaning:
      'network error, timeout, redirect, a response that is not of the API (such as an HTML page), or 408, 429 or 5xx after all retries; try again later',
  },
  local: {
    code: 8,
    meaning:
      'a problem with local configuration, state or disk, or a service without the path of the operation (404, `Cannot GET …`): check the base URL',
  },
  undelivered: {
    code: 9,
    meaning:
      '--wait, --require, a canary, `activity explain`, `activity audit`, `runs watch`, `doctor --probe` or `sandbox messages wait` found a failed, missing or unfinished delivery, or `workflows replay` reproduced too few steps to compare',
  },
  different: {
    code: 10,
    meaning:
      '`diff` or a command with `--check` found differences, or `upgrade check` found what must be done before',
  },
  notExecutable: { code: 126, meaning: '`sandbox exec`: the command cannot be executed' },
  commandNotFound: { code: 127, meaning: '`sandbox exec`: the command does not exist' },
  hangup: { code: 129, meaning: 'stopped by SIGHUP' },
  interrupted: { code: 130, meaning: 'stopped by Ctrl-C (SIGINT)' },
  terminated: { code: 143, meaning: 'stopped by SIGTERM' },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** An invalid field of a request. */
export interface FieldError {
  field: string;
  message: string;
}

/** The outcome of one attempt to send a request: a response, or a failure without a usable response. */
export type AttemptOutcome =
  | { status: number; headers: Record<string, string>; inProgress?: boolean }
  /** `unsent`: there was no connection. `garbled`: not a response of the API. `final`: a retry cannot succeed. */
  | { failure: 'network' | 'unsent' | 'timeout' | 'garbled' | 'final' };

/** Details of an error besides its message. A member that is undefined counts as absent. */
export interface ErrorDetails {
  /** HTTP status of the response, if there was one. */
  status?: number | undefined;
  /** Path of the request that failed. */
  path?: string | undefined;
  /** How to fix the problem, in one sentence. */
  hint?: string | undefined;
  next?: readonly string[] | undefined;
  fieldErrors?: readonly FieldError[] | undefined;
  /** Nothing failed: text output calls it a warning. */
  isWarning?: boolean | undefined;
  /** A person answered no: text output is the message alone. */
  isAnswer?: boolean | undefined;
  /** An unknown name and the valid ones, for "did you mean". */
  suggestion?:
    | {
        input: string;
        candidates: readonly string[];
        /** The noun in the plural, to name some of the candidates if none is similar. */
        existing?: string;
        /** For commands: the candidates that change data. */
        writes?: readonly string[];
      }
    | undefined;
  /** Several unknown names, each reported on its own line. */
  suggestions?: readonly { input: string; candidates: readonly string[] }[] | undefined;
  requestId?: string | undefined;
  /** Line of the input that cannot be read. */
  line?: number | undefined;
  /** The outcome of the last attempt to send the request, for the retry policy. */
  outcome?: AttemptOutcome | undefined;
  /** Milliseconds that the service asked to wait. */
  retryAfterMs?: number | undefined;
  /** Number of requests sent, including retries. */
  attempts?: number | undefined;
  /** The write may have been applied although no response confirms it. */
  maybeApplied?: boolean | undefined;
  /** Milliseconds that the service asked to wait, if longer than --max-wait. */
  retryAfterExceededMs?: number | undefined;
  /** A 404 neither in the format of the service nor with the id of the resource, such as one of a gateway. */
  isForeignNotFound?: boolean | undefined;
  /** The server lacks the operation, which is not the same as a missing resource. */
  notOffered?: boolean | undefined;
  /** The service replayed a stored error for an idempotency key. */
  idempotentReplay?: boolean | undefined;
  cause?: unknown;
}

interface ErrorChanges extends ErrorDetails {
  exitReason?: ExitReason;
  message?: string;
}

/** The error that every layer throws. `main` turns its exit reason into an exit code. */
export class SvcError extends Error {
  readonly exitReason: ExitReason;
  readonly details: Readonly<ErrorDetails>;

  constructor(exitReason: ExitReason, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = 'SvcError';
    this.exitReason = exitReason;
    this.details = details;
  }

  with({
    exitReason = this.exitReason,
    message = this.message,
    ...details
  }: ErrorChanges): SvcError {
    return new SvcError(exitReason, message, { ...this.details, ...details });
  }
}

/** Whether a request for something else would fail as well, so a command of several requests stops. */
export const stopsRequests = ({ exitReason, details }: SvcError): boolean =>
  (exitReason !== 'refused' && exitReason !== 'notFound') || details.notOffered === true;

/** The command line or the input is wrong; nothing was written. */
export const usageError = (message: string, details?: ErrorDetails) =>
  new SvcError('usage', message, details);

/** The error for an action such as `Delete topic x` that needs a confirmation where svc cannot ask for one. */
export const confirmationRequired = (action: string, warning = '') =>
  usageError(
    `Confirmation is required to ${action.charAt(0).toLowerCase()}${action.slice(1)}.${warning === '' ? '' : ` ${warning}`} Nothing was done.`,
    { hint: 'Confirm with --yes.' },
  );

/** A problem with the configuration, state or disk of this machine. */
export const localError = (message: string, details?: ErrorDetails) =>
  new SvcError('local', message, details);

/** The error itself if it is meant for the user, otherwise a local error that begins with `problem`. */
export const toLocalError = (error: unknown, problem: string, details: ErrorDetails = {}) =>
  error instanceof SvcError ? error : localError(`${problem}: ${errorMessage(error)}`, details);

/** The person answered no. */
export const notConfirmed = (details: ErrorDetails = {}) =>
  usageError('Not confirmed: nothing was done.', { ...details, isAnswer: true });

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const errorMessage = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message : String(thrown);

/** Adds the command that shows whether a write was applied, if the service replayed an error without its cause. */
export function withVerifyCommand(error: unknown, command: string): unknown {
  if (
    !(error instanceof SvcError) ||
    !error.details.idempotentReplay ||
    error.exitReason !== 'unavailable'
  )
    return error;
  return error.with({ next: [command] });
}

export const openFilesHint =
  'Raise the limit with `ulimit -n`, or lower the number of concurrent requests with --concurrency.';

/** The error for an unexpected exception: `local` for a system error, otherwise `bug`. */
export function unexpectedError(thrown: unknown): SvcError {
  const message = errorMessage(thrown);
  const code = systemCode(thrown);
  if (code === 'EMFILE' || code === 'ENFILE') {
    return localError('Too many open files.', { hint: openFilesHint, cause: thrown });
  }
  // A file system error; network errors are handled by the transports.
  if (code !== undefined && typeof thrown === 'object' && thrown && 'syscall' in thrown) {
    return localError(`System error: ${message}`, { cause: thrown });
  }
  return new SvcError('bug', `Unexpected error: ${message}`, {
    hint: 'This is a bug in svc. Run the command again with --debug and report the output.',
    cause: thrown,
  });
}

// Reads what may not exist.

/** Whether a resource does not exist, on a server that has the operation. */
export const isMissing = (error: unknown): error is SvcError =>
  error instanceof SvcError && error.exitReason === 'notFound' && !error.details.notOffered;

/** Whether a server does not have the operation. */
export const isNotOffered = (error: unknown): boolean =>
  error instanceof SvcError && error.details.notOffered === true;

/** Returns the response; undefined if the resource does not exist. */
export const ifExists = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

/** A gateway that does not reach the service must not look like a resource that does not exist. */
export const refuseForeignNotFound = (error: SvcError): SvcError =>
  error.details.isForeignNotFound
    ? error.with({
        exitReason: 'unavailable',
        message: `The 404 for ${error.details.path} is not in the format of the service: ${error.message}`,
        hint: 'Check the base URL, and the gateways and proxies before the service.',
      })
    : error;

/** Like `ifExists`, but only the service itself can say that the resource does not exist. */
export const ifPresent = <T>(response: Promise<T>): Promise<T | undefined> =>
  ifExists(
    response.catch((error: unknown) => {
      throw error instanceof SvcError ? refuseForeignNotFound(error) : error;
    }),
  );

/** Like `ifExists`, and undefined if the server does not offer the operation. */
export const ifFound = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (error instanceof SvcError && error.exitReason === 'notFound') return undefined;
    throw error;
  });
