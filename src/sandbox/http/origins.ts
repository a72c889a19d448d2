// Which web pages may send requests, by the origin that the browser reports. Any page that a developer opens can reach
// loopback, so a page needs a rule that allows it. No response allows cookies.
import { isLoopback, isOrigin } from '../../core/loopback.ts';
import { forbidden } from './http-error.ts';
import type { ErrorResponses } from './responses.ts';

export interface OriginRules {
  /** Allowed host names, without port; undefined: all. */
  hosts: readonly string[] | undefined;
  /** Origins that may use the inbox, besides those on loopback. */
  allowOrigins: readonly string[];
}

/** The parts of a request or of the handshake of a socket. */
export interface Sender {
  host: string;
  origin: string | null;
  pathname: string;
}

const inboxPath = /^\/(?:v1\/inbox|socket\.io)(?:\/|$)/i;
const servicePath = /^\/v[12]\//i;

/**
 * Returns the origin that the response must allow; undefined if the page belongs to the sandbox or the request comes from
 * no page. Throws for another page: the inbox is open to pages on loopback and of `allowOrigins`, the other routes of the
 * service to pages on loopback, and everything else only to the page of the sandbox. Also throws for a host name that is
 * not allowed, which can be a name that a page resolves to loopback.
 */
export function allowedOrigin(
  { host: hostHeader, origin, pathname }: Sender,
  { hosts, allowOrigins }: OriginRules,
): string | undefined {
  const host = hostHeader.toLowerCase();
  if (hosts && !hosts.includes(withoutPort(host)))
    throw forbidden(`Host ${JSON.stringify(host)} is not allowed`);
  if (origin === null || origin.toLowerCase() === `http://${host}`) return undefined;
  const isInbox = inboxPath.test(pathname);
  const isAllowed =
    (isInbox && allowOrigins.includes(origin)) ||
    ((isInbox || servicePath.test(pathname)) && isLoopbackOrigin(origin));
  if (!isAllowed) throw forbidden('Requests from other origins are not allowed');
  return origin;
}

const withoutPort = (host: string) => host.replace(/:\d*$/, '');

const isLoopbackOrigin = (origin: string) =>
  isOrigin(origin) && isLoopback(new URL(origin).hostname);

/** Responds to a request with the headers that its origin needs, also to an error, and to a preflight request. */
export async function answerOrigin(
  request: Request,
  rules: OriginRules,
  respond: (request: Request) => Promise<Response>,
  errorResponses: ErrorResponses,
): Promise<Response> {
  const { host, pathname } = new URL(request.url);
  const { headers, method } = request;
  let origin: string | undefined;
  try {
    const sender = { host: headers.get('host') ?? host, origin: headers.get('origin'), pathname };
    origin = allowedOrigin(sender, rules);
  } catch (error) {
    return errorResponses.respond(request, error);
  }
  if (origin === undefined) return respond(request);
  const isPreflight = method === 'OPTIONS' && headers.has('access-control-request-method');
  const response = isPreflight ? preflightResponse(headers) : await respond(request);
  response.headers.set('access-control-allow-origin', origin);
  response.headers.append('vary', 'Origin');
  return response;
}

const preflightResponse = (headers: Headers) =>
  new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '*',
      'access-control-max-age': '600',
    },
  });
