// Creates HTTP responses: JSON, errors in the service's format, internal errors without details.

import type { Clock, Ids } from '../store/ids.ts';
import { errorBody, HttpError, notFound } from './http-error.ts';

/** A response as plain data, so that it can be stored and replayed. */
export interface SerializedResponse {
  status: number;
  /** The JSON body; undefined: no body. */
  text: string | undefined;
  headers?: Record<string, string>;
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };

/** Kept, because the stream of a response can be read only once. */
const texts = new WeakMap<Response, string>();

/** The body of a response that the sandbox made of text; undefined for any other. */
export const responseText = (response: Response): string | undefined => texts.get(response);

export function toResponse({ status, text, headers = {} }: SerializedResponse): Response {
  if (text === undefined) return new Response(null, { status, headers });
  // A socket writes bytes faster than text.
  const response = new Response(Buffer.from(text), {
    status,
    headers: { ...jsonType, ...headers },
  });
  texts.set(response, text);
  return response;
}

export const json = (status: number, value: unknown): Response =>
  toResponse({ status, text: JSON.stringify(value) });

export interface ErrorResponses {
  /** An error that is not an HttpError becomes a response with status 500. */
  serialize(request: Request, error: unknown): SerializedResponse;
  respond(request: Request, error: unknown): Response;
  routeNotFound(request: Request): Response;
}

/** Called with an error that is a bug, and the text that reports it. */
export type OnInternalError = (error: unknown, text: string) => void;

const internalErrors = new WeakMap<Request, string>();

/** The cause of a response with status 500, with its errorId; undefined for another response. */
export const internalErrorOf = (request: Request): string | undefined =>
  internalErrors.get(request);

export function createErrorResponses(
  clock: Clock,
  ids: Ids,
  onInternalError: OnInternalError,
): ErrorResponses {
  const serializeHttpError = (request: Request, error: HttpError): SerializedResponse => {
    const timestamp = new Date(clock.now()).toISOString();
    const text = JSON.stringify(errorBody(error, requestTarget(request), timestamp));
    const { status, details } = error;
    return { status, text, ...(details.headers ? { headers: details.headers } : {}) };
  };
  const serialize = (request: Request, error: unknown): SerializedResponse => {
    if (error instanceof HttpError) return serializeHttpError(request, error);
    const errorId = ids.objectId();
    const text = `${String(error)} (errorId ${errorId})`;
    internalErrors.set(request, text);
    const { pathname } = new URL(request.url);
    onInternalError(
      error,
      `The sandbox responded with 500 to ${request.method} ${pathname}: ${text}`,
    );
    const message = knownCause(error) ?? unknownCause;
    const details = { members: { errorId }, hasNoContext: true };
    return serializeHttpError(request, new HttpError(500, message, details));
  };
  return {
    serialize,
    respond: (request, error) => toResponse(serialize(request, error)),
    routeNotFound: (request) => {
      const error = notFound(`Cannot ${request.method} ${requestTarget(request)}`);
      return toResponse(serializeHttpError(request, error));
    },
  };
}

const unknownCause = 'Internal server error, contact support and provide them with the errorId';

/** The message for an internal error that the person who runs the sandbox can remedy. */
function knownCause(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // SQLite in WebAssembly reports a full disk like every other failure to write.
  if (/^(?:database or disk is full|disk I\/O error)$/.test(error.message))
    return 'The disk with the data of the sandbox is full or cannot be written. Nothing was changed. Free some space, and send the request again';
  if (/^Cannot find module|^ENOENT: .*\.c?js'$/m.test(error.message))
    return 'svc was updated or removed while this sandbox runs, and a part of its program is gone. Stop the sandbox and start it again';
  return undefined;
}

function requestTarget({ url }: Request): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

// An injected fault that closes the connection, immediately or in the middle of a response. In
// process the request rejects with this error; the HTTP server closes the socket.

export class ConnectionCut extends Error {
  /** Half of its body is sent before the connection is closed. Absent: nothing is sent. */
  readonly truncatedResponse: SerializedResponse | undefined;

  constructor(truncatedResponse?: SerializedResponse) {
    super('the sandbox closed the connection to inject a fault');
    this.name = 'ConnectionCut';
    this.truncatedResponse = truncatedResponse;
  }
}
