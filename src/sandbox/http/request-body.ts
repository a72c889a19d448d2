// Reads a JSON body with limits for size and depth, and removes `__proto__` properties.
import { badRequest, payloadTooLarge, unsupportedMediaType } from './http-error.ts';

const maxDepth = 100;

/** Returns `{}` if the request has no body. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge(limit);
  const text = await readText(request, limit);
  if (text.trim() === '') return {};
  checkHeaders(request.headers);
  return removeProto(parseJson(text), 0);
}

async function readText(request: Request, limit: number): Promise<string> {
  if (!request.body) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > limit) {
      await reader.cancel();
      throw bodyTooLarge(limit);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const bodyTooLarge = (limit: number) =>
  payloadTooLarge(`request entity too large (at most ${limit} bytes)`);

function checkHeaders(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw unsupportedMediaType(
      `Content-Type must be application/json, not ${JSON.stringify(type)}`,
    );
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw unsupportedMediaType(`unsupported content encoding ${JSON.stringify(encoding)}`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'Malformed JSON');
  }
}

/** Removes `__proto__` properties at any depth, in place. */
function removeProto(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw badRequest(`JSON is nested deeper than ${maxDepth} levels`);
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value)) removeProto(inner, depth + 1);
  return value;
}
