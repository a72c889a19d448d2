// Bytes of an answer → its value: text, exact numbers, and the envelope some servers add.
import { readAnswerJson } from '../exact-numbers.ts';
import type { FailedAnswer } from './api-error.ts';
import type { Method } from './operation.ts';
import type { Outcome } from './retry.ts';
import type { WireResponse } from './transport.ts';

const largestBody = 256 * 1024 * 1024;

/** The text of a body, decompressed when it came compressed, up to a bound. */
export async function bodyText(headers: Record<string, string>, bytes: Buffer): Promise<string> {
  const coding = headers['content-encoding'];
  if (coding !== 'gzip') return bytes.toString('utf8');
  const { gunzip } = await import('node:zlib');
  const { promisify } = await import('node:util');
  return (await promisify(gunzip)(bytes, { maxOutputLength: largestBody })).toString('utf8');
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
  try {
    answer.body = text.trim() === '' ? undefined : await readAnswerJson(text);
  } catch {
    if (succeeded) {
      const { notApi } = await import('./api-error.ts');
      throw Object.assign(notApi(answer), { outcome: { failure: 'garbled' } });
    }
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
