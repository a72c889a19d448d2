// Values as they are typed: JSON or `@file`, `#rrggbb`, names of fields. Reads files; asks nobody.
import { readFileSync } from 'node:fs';
import { localError, systemCode, usageError } from '../errors.ts';
import { isTooDeep, tooDeep } from '../exact-depth.ts';
import { readJson } from '../exact-numbers.ts';
import { readAll } from './stdin.ts';

/** The text of a file named by a person; `source` names the option in errors. */
export function readTextFile(path: string, source: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const missing = systemCode(error) === 'ENOENT';
    const why = missing ? 'there is no such file' : error instanceof Error ? error.message : '';
    throw (missing ? usageError : localError)(`${source}: ${path} cannot be read: ${why}`);
  }
}

/** What was typed, or standard input when that is `-`. */
export async function typedOrInput(typed: string, stdin: AsyncIterable<unknown>): Promise<string> {
  return typed === '-' ? readAll(stdin) : typed;
}

/** JSON, typed in place or as `@file`; its numbers keep their values. */
export async function readJsonValue(text: string, source: string): Promise<unknown> {
  const json = text.startsWith('@') ? readTextFile(text.slice(1), source) : text;
  if (isTooDeep(json)) throw usageError(`${source} is ${tooDeep}.`);
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
