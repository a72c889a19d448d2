// One HTTP exchange within its deadline: headers out, status and body in, with the key in use redacted.
import { SvcError } from '../core/errors.ts';
import type { ClientOptions } from './client-options.ts';
import { operations } from './operations/index.ts';
import { redactionOf } from './redaction.ts';
import type { RawRequest } from './request.ts';
import { bodyText, readAnswer } from './response.ts';

const megabyte = 1024 * 1024;
/** The largest body of a success, in bytes, compressed or not. */
const successLimit = 32 * megabyte;
/** The largest body of an error that is read, in bytes. */
const errorLimit = megabyte;

export const isSuccess = (status: number) => status >= 200 && status < 300;

export function createAttempt(options: ClientOptions) {
  const { baseUrl, clock, transport, observe, timeoutMs } = options;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  const withoutKey = redactionOf(options.apiKey, options.mask);

  return async (request: RawRequest, headers: Record<string, string>, attempt: number) => {
    const { method, target, body, signal } = request;
    const url = `${baseUrl}${target}`;
    const path = prefix + pathOf(target);
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
      const raw = await bodyText(response, limit(status));
      deadline.signal.throwIfAborted();
      const quoted = withoutKey(raw);
      const safeHeaders = mapped(response.headers, withoutKey);
      observe?.({
        kind: 'answer',
        method,
        url,
        status,
        headers: safeHeaders,
        text: quoted,
        ms: elapsed(),
      });
      const text = isSuccess(status) && listsKeys(request) ? raw : quoted;
      const answer = await readAnswer(
        { ...request, path },
        { ...response, headers: safeHeaders },
        text,
        clock.now(),
      );
      // Parsing blocks the timer of the deadline. A write that was carried out keeps its response.
      if (method === 'GET' && elapsed() > timeoutMs) throw timedOut();
      return answer;
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
        ...(options.whenRefused ? { whenRefused: options.whenRefused } : {}),
      });
    } finally {
      deadline.clear();
    }
  };
}

const pathOf = (target: string) => target.split('?')[0] ?? '';

/** The listing of environments is the one response whose purpose is to give keys, this one among them. */
const listsKeys = ({ method, target }: RawRequest) =>
  method === 'GET' && pathOf(target).replace(/\/$/, '') === operations.listEnvironments.path;

const mapped = (headers: Record<string, string>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

const timedOut = () => Object.assign(new Error('parsing took too long'), { name: 'TimeoutError' });
