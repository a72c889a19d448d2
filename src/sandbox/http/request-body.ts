// Reads a JSON body: bounded in bytes and depth, and without names that could reach a prototype.
import { badRequest, tooLarge, unsupported } from './http-error.ts';

const deepest = 100;

/** The JSON of a request, `{}` when it has no body. */
export async function readJson(request: Request, limit: number): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw overLimit(limit);
  const text = await readText(request, limit);
  if (text.trim() === '') return {};
  checkForm(request.headers);
  return inert(parsed(text), 0);
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
      throw overLimit(limit);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const overLimit = (limit: number) => tooLarge(`request entity too large (at most ${limit} bytes)`);

function checkForm(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw unsupported(`Content-Type must be application/json, not ${JSON.stringify(type)}`);
  }
  const encoding = headers.get('content-encoding');
  if (encoding !== null && encoding !== 'identity') {
    throw unsupported(`unsupported content encoding ${JSON.stringify(encoding)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badRequest(error instanceof Error ? error.message : 'Malformed JSON');
  }
}

/** The value itself, after removing `__proto__` members at any depth. */
function inert(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > deepest) throw badRequest(`JSON is nested deeper than ${deepest} levels`);
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value)) inert(inner, depth + 1);
  return value;
}
