// One HTTP request and its response within the timeout. Redacts the API key in use from the response.
import { SvcError } from '../core/errors.ts';
import { operations } from '../service/operations/index.ts';
import type { ClientOptions } from './client-options.ts';
import { createRedactor } from './redaction.ts';
import type { RawRequest } from './request.ts';
import { decodeBody, readResponse } from './response.ts';

const megabyte = 1024 * 1024;
/** Maximum body size of a successful response in bytes, compressed and decompressed. */
const successLimit = 32 * megabyte;
/** Maximum body size of an error response in bytes. */
const errorLimit = megabyte;

export const isSuccess = (status: number) => status >= 200 && status < 300;

export function createAttempt(options: ClientOptions) {
  const { baseUrl, baseUrlOrigin, clock, transport, observe, timeoutMs } = options;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const redactKey = createRedactor(options.apiKey, options.mask);

  return async (request: RawRequest, headers: Record<string, string>, attempt: number) => {
    const { method, target, body, signal } = request;
    const url = `${baseUrl}${target}`;
    const path = prefix + withoutQuery(target);
    const deadline = clock.deadline(timeoutMs, signal);
    const began = clock.ticks();
    const elapsed = () => clock.ticks() - began;
    const limit = (status: number) =>
      isSuccess(status) ? (request.responseLimit ?? successLimit) : errorLimit;
    observe?.({ kind: 'request', method, url, headers, attempt, ...(body ? { body } : {}) });
    try {
      const response = await transport({
        method,
        url,
        headers,
        limit,
        signal: deadline.signal,
        ...(body ? { body } : {}),
      });
      const { status } = response;
      const raw = await decodeBody(response, limit(status));
      deadline.signal.throwIfAborted();
      const redacted = redactKey(raw);
      const safeHeaders = mapValues(response.headers, redactKey);
      observe?.({
        kind: 'response',
        method,
        url,
        status,
        headers: safeHeaders,
        text: redacted,
        ms: elapsed(),
      });
      const text = isSuccess(status) && isKeyListing(request) ? raw : redacted;
      const result = await readResponse(
        { ...request, path, baseUrl, baseUrlOrigin },
        { ...response, headers: safeHeaders },
        text,
        clock.now(),
      );
      // Parsing blocks the event loop, so the deadline's timer cannot fire. A finished write keeps its response.
      if (method === 'GET' && elapsed() > timeoutMs) throw timedOut();
      return result;
    } catch (error) {
      if (error instanceof SvcError) throw error;
      observe?.({ kind: 'failure', method, url, error, ms: elapsed() });
      if (signal?.aborted) throw error;
      const { connectionError } = await import('./connection-error.ts');
      throw connectionError(error, {
        baseUrl,
        method,
        path,
        timeoutMs,
        ...(options.proxy ? { proxy: options.proxy } : {}),
        connectionRefused: options.connectionRefused,
      });
    } finally {
      deadline.clear();
    }
  };
}

const withoutQuery = (target: string) => target.split('?')[0] ?? '';

/** The environment listing returns API keys on purpose, so the key in use is not redacted from it. */
const isKeyListing = ({ method, target }: RawRequest) =>
  method === 'GET' && withoutQuery(target).replace(/\/$/, '') === operations.listEnvironments.path;

const mapValues = (headers: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

const timedOut = () => new DOMException('parsing took too long', 'TimeoutError');
