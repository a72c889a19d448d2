// Values of arguments and options: text, JSON, `@file` and `-` for standard input.
import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { localError, systemCode, usageError } from '../core/errors.ts';
import { isTooDeep, parseJson, tooDeepReason } from '../core/lossless-json.ts';
import { isObject } from '../core/objects.ts';
import { readAll } from './stdin.ts';

const megabyte = 1024 * 1024;
/** Maximum size of a file that is read at once, in bytes. */
const maxFileBytes = 256 * megabyte;
/** Maximum size of a key or certificate file in bytes. */
export const maxKeyFileBytes = megabyte;

/** The folder that relative paths start from. */
export interface WorkingFolder {
  cwd: string;
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
  const json = text.startsWith('@') ? readTextFile(text.slice(1), source, folder) : text;
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
  const value = await readJsonValue(text, source, folder);
  if (isObject(value)) return value;
  throw usageError(`${source} must be a JSON object such as {"plan":"pro"}.`);
}

/** The value of `--context` as a filter: returns `tenant:acme` for `tenant=acme` and `tenant:acme`. */
export function readContextKey(text: string): string {
  const key = text.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${text}\` does not have the form type:id.`);
}
