// Error responses of the service: a status, a message and details. If a handler throws an
// HttpError, its writes are rolled back; if it returns one, they are kept.

export interface HttpErrorDetails {
  /** Properties that the body contains twice: in `ctx` and at the top level. */
  context?: Record<string, unknown>;
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

export const errorFactory = (status: number) => (message: string, details?: HttpErrorDetails) =>
  new HttpError(status, message, details);

export const badRequest = errorFactory(400);
export const unauthorized = errorFactory(401);
export const forbidden = errorFactory(403);
export const notFound = errorFactory(404);
export const conflict = errorFactory(409);
export const payloadTooLarge = errorFactory(413);
export const unsupportedMediaType = errorFactory(415);
export const unprocessable = errorFactory(422);
export const tooManyRequests = errorFactory(429);

/** The error body in the service's format. It is never wrapped in an envelope. */
export const errorBody = (
  { status, message, details }: HttpError,
  path: string,
  timestamp: string,
) => ({
  statusCode: status,
  timestamp,
  path,
  message,
  ...(details.context ? { ctx: details.context, ...details.context } : {}),
  ...details.members,
});
