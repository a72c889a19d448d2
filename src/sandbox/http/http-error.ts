// Error responses of the service: a status, a message and details. If a handler throws an
// HttpError, its writes are rolled back; if it returns one, they are kept.

import { STATUS_CODES } from 'node:http';
import { asObject } from '../../core/objects.ts';
import type { Dialect } from '../store/dialect.ts';

interface HttpErrorDetails {
  /**
   * Properties that the body contains twice: in `ctx` and at the top level. Default: the reason phrase of the status as
   * `error`, and the status.
   */
  context?: Record<string, unknown>;
  /** Without `ctx`. */
  hasNoContext?: boolean;
  /** Other properties of the body. */
  members?: Record<string, unknown>;
  /** Headers of the response. */
  headers?: Record<string, string>;
}

export class HttpError extends Error {
  readonly status: number;
  readonly details: HttpErrorDetails;

  constructor(status: number, message: string, details: HttpErrorDetails = {}) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.details = details;
  }
}

const errorFactory = (status: number) => (message: string, details?: HttpErrorDetails) =>
  new HttpError(status, message, details);

export const badRequest = errorFactory(400);
export const unauthorized = errorFactory(401);
export const paymentRequired = errorFactory(402);
export const forbidden = errorFactory(403);
export const notFound = errorFactory(404);
export const conflict = errorFactory(409);
export const payloadTooLarge = errorFactory(413);
export const unsupportedMediaType = errorFactory(415);
export const unprocessable = errorFactory(422);
export const tooManyRequests = errorFactory(429);

/** An error of a whole request. */
export const generalError = (
  messages: readonly string[],
  message = 'Validation Error',
): HttpError =>
  unprocessable(message, { members: { errors: { general: { messages, value: noValue } } } });

const noValue = 'No Value Recorded';

/** The messages of all fields in the body of an error response. */
export const fieldMessages = (errors: unknown): unknown[] =>
  Object.values(asObject(errors)).flatMap((field) => asObject(field).messages ?? []);

/** Throws the errors of fields, if there are any. `command` is the command of the service that checks them. */
export function checkFields(
  { namesCommands }: Pick<Dialect, 'namesCommands'>,
  command: string,
  errors: Record<string, { messages: string[]; value?: unknown }>,
): void {
  if (Object.keys(errors).length === 0) return;
  const reasons = Object.entries(errors).map(
    ([name, { messages }]) => `${name}: ${messages.join(', ')}`,
  );
  throw unprocessable(
    namesCommands ? `Validation failed for ${command}: ${reasons.join('; ')}` : 'Validation failed',
    { members: { errors } },
  );
}

/** The error body in the service's format. It is never wrapped in an envelope. */
export function errorBody(
  { status, message, details }: HttpError,
  path: string,
  timestamp: string,
) {
  const { context = defaultContext(status, details), members, hasNoContext } = details;
  return {
    ...(hasNoContext ? {} : context),
    statusCode: status,
    timestamp,
    path,
    message,
    ...(hasNoContext ? {} : { ctx: context }),
    ...members,
  };
}

function defaultContext(status: number, { members }: HttpErrorDetails): Record<string, unknown> {
  if (members) return {};
  const error = STATUS_CODES[status];
  return { ...(error === undefined ? {} : { error }), statusCode: status };
}
