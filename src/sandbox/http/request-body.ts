// Reads a body of JSON or of a form, compressed or not, with limits for size and depth, and removes `__proto__` properties.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import qs from 'qs';
import { badRequest, payloadTooLarge, unsupportedMediaType } from './http-error.ts';

const maxDepth = 100;

/** Returns `{}` if the request has no body, or one that is not JSON. */
export const readJson = (request: Request, limit: number): Promise<unknown> =>
  read(request, limit, isJson);

/** Returns `{}` if the request has no body, or one that is neither JSON nor a form. */
export const readJsonOrForm = (request: Request, limit: number): Promise<unknown> =>
  read(request, limit, (type) => isForm(type) || isJson(type));

async function read(
  request: Request,
  limit: number,
  isReadable: (type: string) => boolean,
): Promise<unknown> {
  const text = await readText(request, limit);
  texts.set(request, text);
  const type = contentType(request);
  return typeof text === 'string' && isReadable(type) ? parseText(type, text) : {};
}

/** Returns null without a body, and undefined for one that is neither JSON nor a form. */
async function readText(request: Request, limit: number): Promise<string | undefined | null> {
  const { headers } = request;
  if (Number(headers.get('content-length') ?? 0) > limit) throw bodyTooLarge();
  const bytes = await readBytes(request, limit);
  if (bytes.length === 0) return null;
  const type = contentType(request);
  if (!isForm(type) && !isJson(type)) return undefined;
  checkCharset(type);
  const decoded = decode(bytes, headers.get('content-encoding'), limit).toString('utf8');
  return decoded.replace(/^\ufeff/, '');
}

const contentType = ({ headers }: Request): string => headers.get('content-type') ?? '';

const parseText = (type: string, text: string): unknown =>
  isForm(type) ? removeProto(parseForm(text), 0) : readJsonText(text);

/** The result of `readText` for a request. */
const texts = new WeakMap<Request, string | undefined | null>();

export interface SentBody {
  text: string;
  /** In characters. */
  length: number;
  /** Throws if the text is not valid. */
  parse(): unknown;
}

/**
 * Returns the body of a request that was handled, and reads it if the handler did not, as with an unknown API key. Null
 * without a body; undefined for one that is longer than the limit or cannot be read.
 */
export async function sentBody(
  request: Request,
  limit: number,
): Promise<SentBody | undefined | null> {
  const text = texts.has(request) ? texts.get(request) : await readUnread(request, limit);
  if (typeof text !== 'string') return text;
  if (text.length > limit) return undefined;
  const type = contentType(request);
  return { text, length: text.length, parse: () => parseText(type, text) };
}

async function readUnread(request: Request, limit: number): Promise<string | undefined | null> {
  if (request.method === 'GET' || request.method === 'HEAD' || !request.body) return null;
  // The end of a body without a length may never come.
  if (request.bodyUsed || request.headers.has('transfer-encoding')) return undefined;
  return readText(request, limit).catch(() => undefined);
}

/** Reads an object or a list from JSON text. Throws an HTTP error for anything else. */
export const readJsonText = (text: string): unknown => removeProto(parseJson(text), 0);

async function readBytes(request: Request, limit: number): Promise<Buffer> {
  if (!request.body) return Buffer.alloc(0);
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
  return Buffer.concat(chunks);
}

const bodyTooLarge = () => payloadTooLarge('Payload Too Large', { context: { statusCode: 413 } });

/** The service does not read other types that end with `+json`. */
const isJson = (type: string): boolean => /^application\/json\s*(?:;|$)/i.test(type);

const isForm = (type: string): boolean => /^application\/x-www-form-urlencoded\b/i.test(type);

/** The service responds with 500 to other charsets. */
function checkCharset(type: string): void {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type)?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset)) return;
  throw unsupportedMediaType(`unsupported charset "${charset.toUpperCase()}"`);
}

const decoders = new Map<string, typeof gunzipSync>([
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['br', brotliDecompressSync],
]);

/** Decompresses the body, up to the limit. */
function decode(bytes: Buffer, encoding: string | null, limit: number): Buffer {
  const name = (encoding ?? 'identity').toLowerCase();
  if (name === 'identity') return bytes;
  const decompress = decoders.get(name);
  if (!decompress) throw unsupportedMediaType(`unsupported content encoding "${name}"`);
  try {
    return decompress(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof RangeError) throw bodyTooLarge();
    throw badRequest(error instanceof Error ? error.message : 'Malformed body');
  }
}

/** The service takes objects and lists only, and reports the first character of another value as the mistake. */
function parseJson(text: string): unknown {
  const start = text.search(/[^ \t\n\r]/);
  const isValid = text[start] === '{' || text[start] === '[';
  try {
    return JSON.parse(
      isValid
        ? text
        : `${text.slice(0, Math.max(start, 0))}${'#'.repeat(start < 0 ? 0 : text.length - start)}`,
    );
  } catch (error) {
    const message = error instanceof Error ? error.message : 'Malformed JSON';
    if (isValid || start < 0) throw badRequest(message);
    throw badRequest(message.replaceAll(/#+/g, ({ length }) => text.slice(start, start + length)));
  }
}

/** Nested members have brackets: `to[subscriberId]=a&to[channels][0][providerId]=fcm&tags[]=x`. */
const parseForm = (text: string): unknown => qs.parse(text, { depth: 5, arrayLimit: 20 });

/** Removes `__proto__` properties at any depth, in place. */
function removeProto(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > maxDepth) throw badRequest(`JSON is nested deeper than ${maxDepth} levels`);
  if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value)) removeProto(inner, depth + 1);
  return value;
}
