// Reads the body of a response: decompresses and parses it, and removes the envelope that some servers add.
import { systemCode } from '../core/errors.ts';
import { isTooDeep, maxResponseDepth, parseResponseJson } from '../core/lossless-json.ts';
import { asObject, isObject } from '../core/objects.ts';
import type { Method } from '../service/operation.ts';
import type { FailedResponse } from './api-error.ts';
import type { BaseUrlOrigin } from './client-options.ts';
import { codedError, type WireResponse } from './transport/transport.ts';

/**
 * Decompresses and decodes a body. `limit` is its maximum size in bytes after decompression: a larger body of a
 * successful response throws, a larger body of an error response is dropped.
 */
export async function decodeBody(response: WireResponse, limit: number): Promise<string> {
  let { bytes } = response;
  for (const coding of contentCodings(response.headers)) {
    if (coding !== 'gzip' && coding !== 'x-gzip')
      throw codedError('SVC_CODING', `coding ${coding}`);
    if (bytes.length > 0) bytes = await decompress(bytes, response.status, limit);
  }
  return bytes.toString('utf8');
}

/** Returns the content codings of a body, outermost first. */
const contentCodings = (headers: Record<string, string>) =>
  (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();

async function decompress(bytes: Buffer, status: number, limit: number): Promise<Buffer> {
  const { gunzip } = await import('node:zlib');
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: limit }, (error, plain) => {
      if (!error) resolve(plain);
      else if (systemCode(error) === 'ERR_BUFFER_TOO_LARGE' && status >= 300)
        resolve(Buffer.alloc(0));
      else reject(error);
    });
  });
}

/** Returns the value inside `{"data": value}` if `data` is the only key and not a field of the operation. */
function unwrapEnvelope(value: unknown, hasDataField: boolean): unknown {
  if (hasDataField || !isObject(value)) return value;
  return 'data' in value && Object.keys(value).length === 1 ? value.data : value;
}

export interface RequestDetails {
  method: Method;
  /** Path with its prefix, without its query. */
  path: string;
  hasDataField?: boolean;
  isUserPath?: boolean;
  isOptional?: boolean;
  resultMembers?: readonly string[] | undefined;
  baseUrl: string;
  baseUrlOrigin?: BaseUrlOrigin | undefined;
}

/** Returns the value of a successful response. Throws any other response, with its outcome for the retry policy. */
export async function readResponse(
  { hasDataField, resultMembers, ...request }: RequestDetails,
  { status, headers }: WireResponse,
  text: string,
  now: number,
) {
  const succeeded = status >= 200 && status < 300;
  const response: FailedResponse = { ...request, status, headers, body: undefined, text, now };
  const tooDeep = isTooDeep(text, maxResponseDepth);
  try {
    if (tooDeep) response.body = succeeded ? undefined : textFields(JSON.parse(text));
    else response.body = text.trim() === '' ? undefined : await parseResponseJson(text);
  } catch {
    if (succeeded) {
      const { notApiError } = await import('./api-error.ts');
      throw notApiError(response).with({ outcome: { failure: 'garbled' } });
    }
  }
  if (succeeded && tooDeep) {
    const { tooDeeplyNestedError } = await import('./api-error.ts');
    throw tooDeeplyNestedError(response).with({ outcome: { failure: 'final' } });
  }
  if (succeeded) {
    const value = unwrapEnvelope(response.body, hasDataField === true);
    const isDeletion = request.method === 'DELETE' && !request.isUserPath;
    if (isDeletion && isObject(value) && value.acknowledged === false) {
      const { notAcknowledged } = await import('./api-error.ts');
      throw notAcknowledged(response).with({ outcome: { failure: 'final' } });
    }
    const isConfirmed = !resultMembers || resultMembers.some((member) => member in asObject(value));
    if (!isConfirmed) {
      const { withoutResult } = await import('./api-error.ts');
      throw withoutResult(response).with({ outcome: { failure: 'final' } });
    }
    return { value, status, headers };
  }
  const { apiError } = await import('./api-error.ts');
  const inProgress = status === 409 && 'retry-after' in headers;
  throw apiError(response).with({ outcome: { status, headers, inProgress } });
}

/** Returns the top-level strings of a body that is nested too deeply to show as a whole. */
const textFields = (body: object): unknown =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
