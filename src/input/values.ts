// Values of arguments and options: text, JSON, `@file` and `-` for standard input.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { isoTime, unitMs } from '../core/durations.ts';
import { localError, systemCode, usageError } from '../core/errors.ts';
import { isTooDeep, parseJson, tooDeepReason } from '../core/lossless-json.ts';
import { isObject } from '../core/objects.ts';

const megabyte = 1024 * 1024;
/** Maximum size of a file that is read at once, in bytes. */
const maxFileBytes = 256 * megabyte;
/** Maximum size of a key or certificate file in bytes. */
export const maxKeyFileBytes = megabyte;

/** The folder that relative paths start from. */
export interface WorkingFolder {
  cwd: string;
  /** `@file` and `env:NAME` are errors. */
  refusesReferences?: true;
}

/** Throws a usage error if the text is a reference where references are not allowed. */
export function refuseReference(
  text: string,
  source: string,
  { refusesReferences }: WorkingFolder,
): void {
  if (refusesReferences && /^(@|env:)/.test(text))
    throw usageError(`${source}: @file and env:NAME are not available here.`, {
      hint: 'Pass the text itself.',
    });
}

/** Returns the text of a file of at most `limit` bytes. `source` is the option, for errors. */
export function readTextFile(
  path: string,
  source: string,
  { cwd }: WorkingFolder,
  limit = maxFileBytes,
): string {
  try {
    return readUpTo(resolve(cwd, path), limit);
  } catch (error) {
    if (error instanceof RangeError) {
      throw usageError(`${source}: ${path} is larger than ${limit / megabyte} MB.`, {
        hint: 'Check the path: the file may be too large, or a device such as /dev/zero.',
      });
    }
    const isMissing = systemCode(error) === 'ENOENT';
    if (isMissing) throw usageError(`${source}: file ${path} does not exist.`);
    const reason = error instanceof Error ? error.message : '';
    throw localError(`${source}: ${path} cannot be read: ${reason}`);
  }
}

/** Reads in chunks, because the size of devices and pipes is unknown. */
function readUpTo(path: string, limit: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks).toString('utf8');
      size += length;
      if (size > limit) throw new RangeError('the file exceeds the size limit');
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the text, or the content of standard input if the text is `-`. */
export async function textOrStdin(text: string, stdin: AsyncIterable<unknown>): Promise<string> {
  return text === '-' ? readAll(stdin) : text;
}

/** Parses JSON from the text or from `@file`, without loss of precision in numbers. */
export async function readJsonValue(
  text: string,
  source: string,
  folder: WorkingFolder,
): Promise<unknown> {
  if (!text.startsWith('@')) return parseJsonText(text, source);
  refuseReference(text, source, folder);
  return parseJsonText(readTextFile(text.slice(1), source, folder), source);
}

async function parseJsonText(json: string, source: string): Promise<unknown> {
  if (isTooDeep(json)) throw usageError(`${source} is ${tooDeepReason}.`);
  try {
    return await parseJson(json);
  } catch (error) {
    throw usageError(`${source} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Parses a JSON object from the text or from `@file`. */
export async function readJsonObject(
  text: string,
  source: string,
  folder: WorkingFolder,
): Promise<Record<string, unknown>> {
  return requireObject(await readJsonValue(text, source, folder), source);
}

/** Parses a JSON object from the text itself, also if it starts with `@`. */
export const parseJsonObject = async (
  text: string,
  source: string,
): Promise<Record<string, unknown>> => requireObject(await parseJsonText(text, source), source);

function requireObject(value: unknown, source: string): Record<string, unknown> {
  if (isObject(value)) return value;
  throw usageError(`${source} must be a JSON object such as {"plan":"pro"}.`);
}

/** The value of `--context` as a filter: returns `tenant:acme` for `tenant=acme` and `tenant:acme`. */
export function readContextKey(text: string): string {
  const key = text.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${text}\` does not have the form type:id.`);
}

// Reads standard input completely.

/** Returns the content of a stream as UTF-8 text. */
export async function readAll(stream: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads an API key from standard input. Throws on a terminal, where svc would wait for input silently. */
export async function readKeyFromStdin(
  { stdin, stdinIsTty }: { stdin: AsyncIterable<unknown>; stdinIsTty: boolean },
  option: string,
): Promise<string> {
  if (!stdinIsTty) return readAll(stdin);
  throw usageError(`${option} reads the API key from standard input, which is a terminal.`, {
    hint: `Redirect a file that contains the key: ${option} < key.txt. Without the option, svc asks for the key.`,
    next: ['svc login'],
  });
}

// Times given by the user: ISO 8601, or a duration before now.

const pastUnitMs = new Map(Object.entries({ ...unitMs, w: 7 * unitMs.d }));

/** Whether the text is a duration such as `2h`, and not a time. */
export const isDuration = (text: string): boolean => /^(?:\d+[smhdw])+$/.test(text);

/** Converts `2h` (from now on), `2026-01-15` or `2026-01-15T12:00:00Z` to an ISO time. */
export function futureTime(text: string, now: number, source: string): string {
  if (!isDuration(text)) return readTime(text, now, source);
  const past = Date.parse(readTime(text, now, source));
  return new Date(2 * now - past).toISOString();
}

/** Converts `2h` (before now), `1d12h`, `2026-01-15` or `2026-01-15T12:00:00Z` to an ISO time. */
export function readTime(text: string, now: number, source: string): string {
  if (isDuration(text)) {
    const duration = (text.match(/\d+[smhdw]/g) ?? []).reduce(
      (sum, part) => sum + Number.parseInt(part, 10) * (pastUnitMs.get(part.slice(-1)) ?? 0),
      0,
    );
    return new Date(now - duration).toISOString();
  }
  const at = isoTime(text);
  if (at !== undefined) return new Date(at).toISOString();
  throw usageError(
    `${source}: \`${text}\` is neither a duration such as 2h nor an ISO time such as 2026-01-15T12:00:00Z.`,
  );
}
