// Reads a JSON body with limits for size and depth, and removes `__proto__` properties.
import { badRequest, payloadTooLarge, unsupportedMediaType } from './http-error.ts';

const maxDepth = 100;

/** Returns `{}` if the request has no body, or one that is neither JSON nor a form. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw bodyTooLarge();
  const text = await readText(request, limit);
  if (isForm(request.headers)) return Object.fromEntries(new URLSearchParams(text));
  if (text.trim() === '' || !isJson(request.headers)) return {};
  checkEncoding(request.headers);
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
      throw bodyTooLarge();
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const bodyTooLarge = () => payloadTooLarge('Payload Too Large', { context: { statusCode: 413 } });

const isJson = (headers: Headers): boolean =>
  /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers.get('content-type') ?? '');

const isForm = (headers: Headers): boolean =>
  /^application\/x-www-form-urlencoded\b/i.test(headers.get('content-type') ?? '');

function checkEncoding(headers: Headers): void {
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
