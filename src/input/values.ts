// Values as they are typed: JSON or `@file`, `#rrggbb`, names of fields. Reads files; asks nobody.
import { closeSync, openSync, readSync } from 'node:fs';
import { localError, systemCode, usageError } from '../core/errors.ts';
import { isTooDeep, tooDeepReason } from '../core/json-depth.ts';
import { readJson } from '../core/lossless-json.ts';
import { readAll } from './stdin.ts';

const megabyte = 1024 * 1024;
/** The largest file that is read as a whole, in bytes. */
const largestFile = 256 * megabyte;
/** The largest key or certificate file, in bytes. */
export const largestKeyFile = megabyte;

/** The text of a file named by a person, up to `limit` bytes; `source` names the option in errors. */
export function readTextFile(path: string, source: string, limit = largestFile): string {
  try {
    return readUpTo(path, limit);
  } catch (error) {
    if (error instanceof RangeError) {
      throw usageError(`${source}: ${path} is larger than ${limit / megabyte} MB.`, {
        hint: 'Name the right file: this one is too large, or a device without an end.',
      });
    }
    const missing = systemCode(error) === 'ENOENT';
    const why = missing ? 'there is no such file' : error instanceof Error ? error.message : '';
    throw (missing ? usageError : localError)(`${source}: ${path} cannot be read: ${why}`);
  }
}

/** Reads by chunks, because devices and pipes do not say how long they are. */
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
      if (size > limit) throw new RangeError('the file is larger than its limit');
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

/** What was typed, or standard input when that is `-`. */
export async function typedOrInput(typed: string, stdin: AsyncIterable<unknown>): Promise<string> {
  return typed === '-' ? readAll(stdin) : typed;
}

/** JSON, typed in place or as `@file`; its numbers keep their values. */
export async function readJsonValue(text: string, source: string): Promise<unknown> {
  const json = text.startsWith('@') ? readTextFile(text.slice(1), source) : text;
  if (isTooDeep(json)) throw usageError(`${source} is ${tooDeepReason}.`);
  try {
    return await readJson(json);
  } catch (error) {
    throw usageError(`${source} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

/** A JSON object, typed in place or as `@file`. */
export async function readJsonObject(
  text: string,
  source: string,
): Promise<Record<string, unknown>> {
  const value = await readJsonValue(text, source);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usageError(`${source} must be a JSON object such as {"plan":"pro"}.`);
}
