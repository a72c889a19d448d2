// Bytes of an answer → its value: text, exact numbers, and the envelope some servers add.
import { systemCode } from '../core/errors.ts';
import { isTooDeep, maxResponseDepth } from '../core/json-depth.ts';
import { readResponseJson } from '../core/lossless-json.ts';
import type { FailedAnswer } from './api-error.ts';
import type { Method } from './operation.ts';
import type { Outcome } from './retry.ts';
import { failure, type WireResponse } from './transport/transport.ts';

/**
 * The text of a body, decompressed when it came compressed. A success beyond the limit fails; the body of such
 * an error is left out.
 */
export async function bodyText(response: WireResponse, limit: number): Promise<string> {
  let { bytes } = response;
  for (const coding of codingsOf(response.headers)) {
    if (coding !== 'gzip' && coding !== 'x-gzip') throw failure('SVC_CODING', `coding ${coding}`);
    if (bytes.length > 0) bytes = await decompressed(bytes, response.status, limit);
  }
  return bytes.toString('utf8');
}

/** The codings of a body, the outermost first. */
const codingsOf = (headers: Record<string, string>) =>
  (headers['content-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse();

async function decompressed(bytes: Buffer, status: number, limit: number): Promise<Buffer> {
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

/** Takes `{"data": value}` off when `data` is the only key and the operation has no `data` of its own. */
function withoutEnvelope(value: unknown, ownData: boolean): unknown {
  if (ownData || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return 'data' in value && Object.keys(value).length === 1 ? value.data : value;
}

export interface Answered {
  method: Method;
  /** Path with its prefix, without its query. */
  path: string;
  ownData?: boolean;
  typedPath?: boolean;
}

/** The value of a successful answer. Anything else is thrown, with its outcome for the retry policy. */
export async function readAnswer(
  { method, path, ownData, typedPath }: Answered,
  { status, headers }: WireResponse,
  text: string,
  now: number,
) {
  const succeeded = status >= 200 && status < 300;
  const answer: FailedAnswer = {
    method,
    path,
    typedPath,
    status,
    headers,
    body: undefined,
    text,
    now,
  };
  const tooDeep = isTooDeep(text, maxResponseDepth);
  try {
    if (tooDeep) answer.body = succeeded ? undefined : textsOf(JSON.parse(text));
    else answer.body = text.trim() === '' ? undefined : await readResponseJson(text);
  } catch {
    if (succeeded) {
      const { notApi } = await import('./api-error.ts');
      throw Object.assign(notApi(answer), { outcome: { failure: 'garbled' } });
    }
  }
  if (succeeded && tooDeep) {
    const { nestedTooDeeply } = await import('./api-error.ts');
    throw Object.assign(nestedTooDeeply(answer), { outcome: { failure: 'final' } });
  }
  if (succeeded) return { value: withoutEnvelope(answer.body, ownData === true), status, headers };
  const outcome: Outcome = {
    status,
    headers,
    inProgress: status === 409 && 'retry-after' in headers,
  };
  const { apiError } = await import('./api-error.ts');
  throw Object.assign(apiError(answer), { outcome });
}

/** Of a body that is nested too deeply to be shown, its own texts alone. */
const textsOf = (body: object): unknown =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value === 'string'));
