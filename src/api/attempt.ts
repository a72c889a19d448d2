// One HTTP request and its response within the timeout. Redacts the API key in use from the response, and
// the secrets of the request from an error.
import { SvcError } from '../core/errors.ts';
import { operations } from '../service/operations/index.ts';
import type { ClientOptions } from './client-options.ts';
import type { RawRequest } from './request.ts';
import { decodeBody, readResponse } from './response.ts';

const megabyte = 1024 * 1024;
/** Maximum body size of a successful response in bytes, compressed and decompressed. */
const successLimit = 32 * megabyte;
/** Maximum body size of an error response in bytes. */
const errorLimit = megabyte;

const isSuccess = (status: number) => status >= 200 && status < 300;

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
    observe?.({ type: 'request', method, url, headers, attempt, ...(body ? { body } : {}) });
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
      // A successful response returns the resource, whose secrets are masked where it is printed.
      const secrets = body && !isSuccess(status) ? options.secretTexts(body) : [];
      const redacted = secrets.reduce(
        (text, secret) => createRedactor(secret, options.mask)(text),
        redactKey(raw),
      );
      const safeHeaders = mapValues(response.headers, redactKey);
      observe?.({
        type: 'response',
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
      observe?.({ type: 'failure', method, url, error, ms: elapsed() });
      if (signal?.aborted) throw error;
      const { connectionError } = await import('./network-errors.ts');
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

// Removes the API key in use from responses, so that it does not appear in output, logs or rejects files.

/** Shorter keys are not redacted, because they could occur in ordinary text. */
const minRedactedLength = 8;

/**
 * Returns a function that replaces the key in a text, in every encoding that a service or proxy can return: plain,
 * escaped in JSON (including JSON nested in a JSON string), percent-encoded, or in Base64, alone or as part of
 * `ApiKey <key>`.
 */
export function createRedactor(apiKey: string, mask: string): (text: string) => string {
  if (apiKey.length < minRedactedLength) return (text) => text;
  const encodings = [apiKey, ...base64Encodings(apiKey)];
  const unescaped = [...new Set(encodings.flatMap((form) => [form, toUrlSafe(form)]))];
  const escapeSign = unescaped.some((form) => /[^A-Za-z0-9]/.test(form)) ? /\\|%/ : /\\u|%/;
  let escapedPattern: RegExp | undefined;
  return (text) => {
    const result = unescaped.reduce((redacted, form) => redacted.replaceAll(form, mask), text);
    if (!escapeSign.test(result)) return result;
    // Compiled on demand: compiling takes longer than a whole request, and few responses contain escapes.
    escapedPattern ??= new RegExp(
      unescaped.map((form) => [...form].map(patternOfCharacter).join('')).join('|'),
      'g',
    );
    return result.replace(escapedPattern, mask);
  };
}

const toUrlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

/**
 * Base64 encodes groups of three bytes, so the key has three encodings, one for each offset in a group. A first or
 * last character that also encodes bits of a neighboring byte is omitted.
 */
function base64Encodings(apiKey: string): string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.from('\0'.repeat(offset) + apiKey);
    const [from, to] = [Math.ceil((offset * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return bytes.toString('base64').slice(from, to);
  });
}

/**
 * Returns a pattern that matches an ASCII character of the key: plain, after backslashes, as `\u0041` or as `%41`.
 * Repetitions are bounded to keep the search fast for any text.
 */
function patternOfCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16).padStart(4, '0');
  const percent = [...Buffer.from(character)]
    .map((byte) => `%(?:25){0,3}${caseInsensitivePattern(byte.toString(16).padStart(2, '0'))}`)
    .join('');
  const plain = /[A-Za-z0-9]/.test(character) ? character : `\\\\{0,8}\\u${code}`;
  return `(?:${plain}|\\\\{1,8}u${caseInsensitivePattern(code)}|${percent})`;
}

const caseInsensitivePattern = (hex: string) =>
  hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
