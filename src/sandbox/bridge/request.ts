// Sends one signed request to the endpoint of an application and reads its response: without following redirects, and
// with limits for time and size.
import { createHmac } from 'node:crypto';
import { type LookupAddress, type LookupAllOptions, lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { systemCode } from '../../core/errors.ts';
import { isLoopbackAddress } from '../../core/loopback.ts';
import { asObject, isObject } from '../../core/objects.ts';
import {
  addressProblem,
  type BridgeErrorName,
  bridgeErrors,
  bridgeTimeoutMs,
  hostProblem,
} from '../../service/bridge-errors.ts';
import { HttpError } from '../http/http-error.ts';
import { readJsonText } from '../http/request-body.ts';

export interface BridgeRequest {
  url: string;
  /** The values of the query, such as `action`. */
  query: Record<string, string>;
  /** Sent by POST. Without a body, the method is GET. */
  body?: object;
  /** Signs the request. */
  key: string;
  /** Milliseconds, by the clock of the machine, which the endpoint uses, too. */
  now: number;
  allowedOrigins: readonly string[];
  timeoutMs?: number;
}

const maxResponseBytes = 5 * 1024 * 1024;

/** Returns the object in the response. Rejects with a BridgeRequestError. */
export async function callEndpoint({
  url: address,
  query,
  body,
  key,
  now,
  allowedOrigins,
  timeoutMs = bridgeTimeoutMs,
}: BridgeRequest): Promise<Record<string, unknown>> {
  const checked = checkAddress(address, allowedOrigins);
  for (const [name, value] of Object.entries(query)) checked.url.searchParams.set(name, value);
  try {
    const { status, text } = await exchange({
      ...checked,
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'bypass-tunnel-reminder': 'true', 'content-type': 'application/json' },
      body,
      key,
      now,
      timeoutMs,
    });
    return readResponse(address, status, text);
  } catch (error) {
    if (error instanceof BridgeRequestError) throw error;
    if (error instanceof ResponseTooLarge)
      throw bridgeError('unreadable', address, { reason: error.message });
    if (error instanceof ResponseTimeout) throw bridgeError('timeout', address);
    throw bridgeError('unavailable', address, { code: systemCode(error) });
  }
}

interface SignedRequest extends CheckedAddress, Pick<BridgeRequest, 'key' | 'now'> {
  method: string;
  headers: Record<string, string>;
  /** Sent as JSON. */
  body: unknown;
  timeoutMs: number;
}

interface Exchange {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The value of the header that proves who sent the text of a request. */
export function signatureOf(
  text: string,
  { key, now }: Pick<BridgeRequest, 'key' | 'now'>,
): string {
  const signature = createHmac('sha256', key).update(`${now}.${text}`).digest('hex');
  return `t=${now},v1=${signature}`;
}

class ResponseTimeout extends Error {}
class ResponseTooLarge extends Error {}

/** Sends the request with the signature of its body. Rejects without a response. */
export async function exchange({
  url,
  lookup,
  method,
  headers,
  body,
  key,
  now,
  timeoutMs,
}: SignedRequest): Promise<Exchange> {
  const text = JSON.stringify(body ?? {});
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, {
        method,
        agent: false,
        signal,
        headers: {
          ...headers,
          'novu-signature': signatureOf(text, { key, now }),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
        },
        ...(lookup ? { lookup } : {}),
      });
      request.once('response', resolve).on('error', reject);
      // Node closes a connection that switches to another protocol without an error.
      request.once('close', () => reject(new Error('The connection was closed.')));
      request.end(body === undefined ? undefined : text);
    });
    const received = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(received) as Exchange['headers'],
      text: await readText(response),
    };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new ResponseTimeout(`Timeout awaiting 'request' for ${timeoutMs}ms`);
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes > maxResponseBytes) {
      response.destroy();
      throw new ResponseTooLarge(`it has more than ${maxResponseBytes / 1024 / 1024} MB`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readResponse(address: string, status: number, text: string): Record<string, unknown> {
  const value = parse(text);
  if (status >= 300 && status < 400) throw bridgeError('redirected', address);
  if (status >= 200 && status < 300) {
    if (!isObject(value))
      throw bridgeError('unreadable', address, { reason: 'it is not a JSON object' });
    return value;
  }
  const { code, message, data } = asObject(value);
  if (status < 600 && typeof code === 'string' && typeof message === 'string')
    throw new BridgeRequestError({ statusCode: status, code, message, data });
  if (status === 404) throw bridgeError('unavailable', address);
  if (status === 405) throw bridgeError('wrongMethod', address);
  if (status === 413) throw bridgeError('tooLarge', address);
  throw bridgeError('unknown', address, { reason: `its status is ${status}` });
}

function parse(text: string): unknown {
  try {
    return readJsonText(text);
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

// Which addresses of endpoints the sandbox calls: this machine, and origins that its user allows. Without this rule,
// a client with a key could make it send requests into a network.

type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

interface CheckedAddress {
  url: URL;
  /** Undefined: any address of the host may be used. */
  lookup: LookupFunction | undefined;
}

/** Throws if the sandbox must not call the address. */
export function checkAddress(
  text: string,
  allowedOrigins: readonly string[],
  resolve: Resolve = lookup,
): CheckedAddress {
  const url = addressProblem(text) === undefined ? new URL(text) : undefined;
  const address = url && reachable(url, allowedOrigins, resolve);
  if (address) return address;
  const reason =
    url &&
    `the sandbox calls only 127.0.0.1, ::1 and localhost, unless --allow-bridge names ${url.origin}`;
  throw bridgeError('invalidUrl', text, { reason, refusal: refusalOf(text, allowedOrigins) });
}

/** Why later versions refuse an address, as if their settings allowed those that the sandbox calls. */
export function refusalOf(text: string, allowedOrigins: readonly string[]): string | undefined {
  const problem = addressProblem(text);
  if (problem !== undefined) return problem;
  const url = new URL(text);
  return reachable(url, allowedOrigins) ? undefined : hostProblem(hostOf(url));
}

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

/** Undefined for another machine whose origin is not allowed. */
export function reachable(
  url: URL,
  allowedOrigins: readonly string[],
  resolve: Resolve = lookup,
): CheckedAddress | undefined {
  if (allowedOrigins.includes(url.origin)) return { url, lookup: undefined };
  const host = hostOf(url);
  if (isLoopbackAddress(host)) return { url, lookup: undefined };
  return host === 'localhost' ? { url, lookup: loopbackOnly(resolve) } : undefined;
}

/** A resolver can return any address for `localhost`. */
const loopbackOnly =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, resolved) => {
      if (error) return callback(error, []);
      const addresses = resolved.filter(({ address }) => isLoopbackAddress(address));
      const [first] = addresses;
      if (!first) return callback(new Error(`${hostname} is not an address of this machine`), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

// The error of a request to the endpoint of an application.

export interface BridgeErrorFields {
  statusCode: number;
  code: string;
  message: string;
  data?: unknown;
  /** Why later versions of the service send nothing to the address. */
  refusal?: string;
}

export class BridgeRequestError extends Error {
  readonly fields: BridgeErrorFields;

  constructor(fields: BridgeErrorFields) {
    super(fields.message);
    this.name = 'BridgeRequestError';
    this.fields = fields;
  }
}

/** `reason` is more than the service says. */
export function bridgeError(
  name: BridgeErrorName,
  url: string,
  {
    reason,
    code,
    refusal,
  }: { reason?: string | undefined; code?: string | undefined; refusal?: string | undefined } = {},
): BridgeRequestError {
  const { message, ...fields } = bridgeErrors[name];
  const text = message(url);
  return new BridgeRequestError({
    ...fields,
    ...(code === undefined ? {} : { code }),
    ...(refusal === undefined ? {} : { refusal }),
    message: reason === undefined ? text : `${text}: ${reason}`,
  });
}
