// Converts failed responses to errors. Reads the status and the body in every format that the service or a proxy sends.
// src/app/status-hints.ts adds the hints that name commands.

import { type ErrorDetails, type ExitReason, type FieldError, SvcError } from '../core/errors.ts';
import { asDouble, maxResponseDepth } from '../core/lossless-json.ts';
import { asObject, isObject } from '../core/objects.ts';
import type { Method } from '../service/operation.ts';
import { closedRouteText, notEmulatedHeader } from '../service/route-errors.ts';
import { findRegions } from '../service/servers.ts';
import type { BaseUrlOrigin } from './client-options.ts';
import { retryAfterMs } from './retry.ts';

export interface FailedResponse {
  method: Method;
  path: string;
  isUserPath?: boolean | undefined;
  isOptional?: boolean | undefined;
  baseUrl: string;
  baseUrlOrigin?: BaseUrlOrigin | undefined;
  status: number;
  headers: Record<string, string>;
  /** The parsed body; undefined if it is not JSON. */
  body: unknown;
  text: string;
  now: number;
}

export function apiError(response: FailedResponse): SvcError {
  const { status, headers, body, text } = response;
  const fields = asObject(body);
  const message = findMessage(fields, text) ?? `status ${status}`;
  const details = {
    status,
    path: response.path,
    fieldErrors: readFieldErrors(fields),
    requestId: headers['x-request-id'] ?? optionalString(fields.errorId),
    retryAfterMs: retryAfterMs(headers, response.now),
    idempotentReplay: headers['idempotency-replay'] === 'true',
  };
  const isUnknownRoute = /^Cannot [A-Z]+ \//.test(message) || notEmulatedHeader in headers;
  const isClosed = status === 401 && message === closedRouteText && response.isOptional === true;
  if (isClosed || (isUnknownRoute && status === 404)) {
    if (response.isUserPath) {
      return new SvcError('notFound', `The service has no ${response.method} ${response.path}.`, {
        ...details,
        hint: `List the operations and their paths, or check ${baseUrlText(response)}.`,
        next: ['svc schema', ...(response.baseUrlOrigin?.next ?? [])],
      });
    }
    if (response.isOptional) {
      return new SvcError(
        'notFound',
        `This server does not offer ${response.method} ${response.path}.`,
        {
          ...details,
          notOffered: true,
          hint: 'A newer server may offer it. The list of operations marks such ones.',
          next: ['svc schema'],
        },
      );
    }
    return new SvcError(
      'local',
      `The base URL ${response.baseUrl} is not the address of the service: ${message}`,
      {
        ...details,
        hint: `Check ${baseUrlText(response)}.`,
        next: response.baseUrlOrigin?.next ?? [],
      },
    );
  }
  if (details.idempotentReplay && status >= 500) {
    return new SvcError(
      'unavailable',
      `${response.method} ${response.path}: the first attempt failed; its result is unknown.`,
      details,
    );
  }
  if (status >= 300 && status < 400) return redirectError(response);
  if (status === 407) {
    return new SvcError('unavailable', `A proxy requires authentication: ${message}`, {
      ...details,
      hint: 'Add the user name and password to HTTPS_PROXY or HTTP_PROXY: http://user:password@host:port.',
    });
  }
  if (isHtmlPage(headers, text) && status !== 401 && status !== 403) {
    return notApiError(response);
  }
  const wrongRegion = status === 401 ? wrongRegionDetails(response.baseUrl) : {};
  return new SvcError(exitReasonForStatus(status, message), message, {
    ...details,
    ...wrongRegion,
    ...(status === 404 && !response.isUserPath
      ? { isForeignNotFound: !hasOwnFormat(fields) && !namesResource(response, message) }
      : {}),
  });
}

/** Whether the error has the members that the service adds and gateways do not. */
const hasOwnFormat = ({ statusCode, timestamp, path }: Record<string, unknown>) =>
  asDouble(statusCode) === 404 && typeof timestamp === 'string' && typeof path === 'string';

/** Whether the text names the id in the path, and not the path itself. */
const namesResource = ({ path }: FailedResponse, message: string) =>
  !message.includes(path) &&
  path
    .split('/')
    .slice(3)
    .map(decodeURIComponent)
    .some((id) => id !== '' && message.includes(id));

/** The error for a deletion that the service answers with `acknowledged: false`. */
export const notAcknowledged = ({ method, path }: FailedResponse): SvcError =>
  new SvcError('refused', `The service did not acknowledge ${method} ${path}.`, {
    path,
    hint: 'Check whether it still exists, and try again.',
  });

/** The error for a successful response to a write that has no result. */
export const withoutResult = ({ method, path }: FailedResponse): SvcError =>
  new SvcError(
    'refused',
    `It is not known whether ${method} ${path} was applied: the response has no result.`,
    {
      path,
      maybeApplied: true,
      hint: 'Check whether it was applied. --debug=body prints the response.',
    },
  );

/** For a rejected key: the other region of the hosted service, which may be the one of the key. */
function wrongRegionDetails(baseUrl: string): ErrorDetails {
  const regions = findRegions(baseUrl);
  if (!regions) return {};
  const { own, other } = regions;
  return {
    hint: `Check that the key is complete and belongs to ${own.name}. A key of ${other.name} is valid at ${other.baseUrl} only.`,
    next: [`svc login --base-url ${other.baseUrl}`],
  };
}

/** The base URL, and where it comes from if that is known. */
const baseUrlText = ({ baseUrlOrigin }: FailedResponse) =>
  baseUrlOrigin === undefined ? 'the base URL' : `the base URL (from ${baseUrlOrigin.source})`;

/** Redirects are not followed, because the API key must not be sent to another address. */
function redirectError({ method, path, status, headers }: FailedResponse): SvcError {
  const { location } = headers;
  const target = location === undefined ? '' : ` to ${withoutPrivateParts(location)}`;
  return new SvcError('unavailable', `${method} ${path} was redirected${target}`, {
    status,
    path,
    hint: 'svc does not follow redirects with an API key. If the service has moved, log in with its new base URL.',
  });
}

/** Removes the user name, password, query and fragment, which can contain secrets such as a login state. */
const withoutPrivateParts = (location: string) =>
  location.replace(/[?#].*/s, '').replace(/^([a-z][a-z0-9+.-]*:)?[\\/]{2,}[^\\/]*@/i, '$1//');

/** Returns the error for a response that is not valid JSON: a login page, a proxy's page or a truncated body. */
export function notApiError(response: FailedResponse): SvcError {
  const { method, path, status, headers, text } = response;
  const isTruncated = /^\s*[[{]/.test(text) && !isHtmlPage(headers, text);
  const content = isHtmlPage(headers, text)
    ? 'an HTML page'
    : isTruncated
      ? 'truncated or damaged JSON'
      : 'something other than JSON';
  return new SvcError(
    'unavailable',
    `${method} ${path} returned ${content} (status ${status})${isTruncated ? '' : ': this is not the API'}`,
    {
      status,
      path,
      hint: isTruncated
        ? 'Try again. If the error persists, check the proxies between this machine and the service.'
        : `Check ${baseUrlText(response)}, and whether a proxy or a login page is in the way.`,
    },
  );
}

/** Returns the error for JSON that is nested deeper than any response of the service. */
export const tooDeeplyNestedError = ({ method, path, status }: FailedResponse): SvcError =>
  new SvcError(
    'unavailable',
    `${method} ${path} returned JSON that is nested too deeply: more than ${maxResponseDepth} levels`,
    {
      status,
      path,
      hint:
        method === 'GET'
          ? 'Check the base URL: the service sends no such response.'
          : 'The write succeeded; only its response cannot be read.',
    },
  );

const notFoundMessages = [
  /^No step found/,
  /^Subscriber not found for this environment/,
  /^Subscriber with the id: .* was not found for this environment/,
  /^Subscriber .* (?:is not|doesn't) exist in environment/,
  /^Subscriber with id: .* is not found/,
  /^SubscriberId: .* not found/,
];

function exitReasonForStatus(status: number, message: string): ExitReason {
  if (status === 401 || status === 403) return 'auth';
  if (status === 404) return 'notFound';
  if (status === 400 && notFoundMessages.some((pattern) => pattern.test(message)))
    return 'notFound';
  if (status === 408 || status === 429 || status >= 500 || status < 400) return 'unavailable';
  return 'refused';
}

function findMessage(fields: Record<string, unknown>, text: string): string | undefined {
  const { message, error } = fields;
  if (typeof message === 'string' && message !== '') return message;
  if (Array.isArray(message)) return message.map(String).join('; ');
  if (typeof error === 'string') return error;
  const plain = text.trim();
  return plain === '' || plain.startsWith('{') || plain.startsWith('[') || plain.startsWith('<')
    ? undefined
    : plain.slice(0, 300);
}

/** Returns the field errors of a validation failure. The service uses three formats for them. */
function readFieldErrors(fields: Record<string, unknown>): FieldError[] {
  const { errors } = fields;
  if (Array.isArray(errors)) return errors.filter(isObject).map(readFieldError);
  if (!isObject(errors)) return [];
  return Object.entries(errors).flatMap(([name, value]) => {
    const messages = isObject(value) && Array.isArray(value.messages) ? value.messages : [value];
    return messages.map((message) => ({
      field: name === 'general' ? '' : name,
      message: typeof message === 'string' ? message : JSON.stringify(message),
    }));
  });
}

function readFieldError(entry: Record<string, unknown>): FieldError {
  const field = Array.isArray(entry.path)
    ? entry.path.join('.')
    : (entry.field ?? entry.subscriberId);
  return {
    field: optionalString(field) ?? '',
    message: optionalString(entry.message) ?? JSON.stringify(entry),
  };
}

const isHtmlPage = (headers: Record<string, string>, text: string) =>
  (headers['content-type'] ?? '').includes('html') || /^\s*<(!doctype|html)/i.test(text);

const optionalString = (value: unknown) => (typeof value === 'string' ? value : undefined);
