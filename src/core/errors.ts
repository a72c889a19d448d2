// The endings: every way the program can end, and the one error class that carries them.
// Knows nothing of HTTP, argv or terminals.

/** Every exit code, its name in JSON errors and when it is used. `svc help exit-codes` prints this table. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done; also an empty list, and a cancel with nothing left to cancel' },
  bug: { code: 1, meaning: 'unexpected: a defect of svc; run again with --debug and report it' },
  usage: {
    code: 2,
    meaning:
      'the command line or the input is wrong, or a confirmation is missing; nothing was written',
  },
  partial: { code: 3, meaning: 'some items of a batch failed, the rest is done' },
  auth: {
    code: 4,
    meaning:
      'no key, no base URL, a refused key (401, 403) or a key that belongs to another service',
  },
  notFound: { code: 5, meaning: 'the thing that was named does not exist' },
  refused: {
    code: 6,
    meaning: 'the service refused the request (400, 402, 409, 413, 422), or all items of a batch',
  },
  unavailable: {
    code: 7,
    meaning: 'network, timeout, 408, 429 or 5xx after retries, not an API answer: try again later',
  },
  local: {
    code: 8,
    meaning: 'configuration, state or disk of this machine; a base URL that is not this service',
  },
  undelivered: {
    code: 9,
    meaning: '--wait or --require found a failed, missing or unfinished delivery',
  },
  hangup: { code: 129, meaning: 'ended by SIGHUP' },
  interrupted: { code: 130, meaning: 'ended by Ctrl-C (SIGINT)' },
  terminated: { code: 143, meaning: 'ended by SIGTERM' },
} as const;

export type ExitReason = keyof typeof exitCodes;

/** One field of a request that the service or the command line refused. */
export interface FieldError {
  field: string;
  message: string;
}

export interface ErrorDetails {
  /** HTTP status of the answer, when there was one. */
  status?: number;
  /** Path of the request that failed. */
  path?: string;
  /** What to do about it, in one sentence. */
  hint?: string;
  /** Commands to type next. */
  next?: readonly string[];
  fieldErrors?: readonly FieldError[];
  /** A name that was not found and those there are, from which the nearest are offered. */
  suggestion?: {
    input: string;
    candidates: readonly string[];
    /** Of commands: those among them that change something. */
    writes?: readonly string[];
  };
  /** Several such names, each of which gets its own line. */
  suggestions?: readonly { input: string; candidates: readonly string[] }[];
  requestId?: string;
  /** Line of the input that cannot be read. */
  line?: number;
  /** Milliseconds the service asked to wait, when it said so. */
  retryAfterMs?: number;
  /** Requests sent before it was given up, retries included. */
  attempts?: number;
  /** What was sent may have been carried out, although no answer says so. */
  maybeApplied?: boolean;
  /** Milliseconds the service asked to wait, when that is longer than svc may. */
  retryAfterExceededMs?: number;
  /** True when the service replayed a stored error for an idempotency key. */
  idempotentReplay?: boolean;
  cause?: unknown;
}

/** What every layer throws. `main` catches it once and turns the ending into an exit code. */
export class SvcError extends Error {
  readonly exitReason: ExitReason;
  readonly details: ErrorDetails;

  constructor(exitReason: ExitReason, message: string, facts: ErrorDetails = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'SvcError';
    this.exitReason = exitReason;
    this.details = facts;
  }
}

/** The command line or the input is wrong; nothing was written. */
export const usageError = (message: string, facts?: ErrorDetails) =>
  new SvcError('usage', message, facts);

/** Configuration, state or disk of this machine is in the way. */
export const localError = (message: string, facts?: ErrorDetails) =>
  new SvcError('local', message, facts);

/** The code of a system error (`ENOENT`, `EPIPE`, …), or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Names the command that shows whether a write was carried out, where the service lost its result. */
export function withVerifyCommand(error: unknown, command: string): unknown {
  if (
    !(error instanceof SvcError) ||
    !error.details.idempotentReplay ||
    error.exitReason !== 'unavailable'
  )
    return error;
  return new SvcError(error.exitReason, error.message, { ...error.details, next: [command] });
}

export const openFilesHint =
  'Raise the limit with `ulimit -n`, or send fewer requests at once with --concurrency.';

/** The error for anything thrown that no layer expected: this machine's refusal, or a defect. */
export function unexpectedError(thrown: unknown): SvcError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const code = systemCode(thrown);
  if (code === 'EMFILE' || code === 'ENFILE') {
    return localError('This machine allows no more open files.', {
      hint: openFilesHint,
      cause: thrown,
    });
  }
  // A file or folder that is in the way; the network has errors of its own.
  if (code !== undefined && typeof thrown === 'object' && thrown && 'syscall' in thrown) {
    return localError(`This machine refused: ${message}`, { cause: thrown });
  }
  return new SvcError('bug', `Unexpected: ${message}`, {
    hint: 'This is a defect of svc. Run the command again with --debug and report what it prints.',
    cause: thrown,
  });
}
