// `key=value` as it is typed: text, files, variables and JSON, at nested paths.
import { usageError } from '../core/errors.ts';
import { isPathTooDeep, isTooDeep, tooDeepReason } from '../core/json-depth.ts';
import { readJson } from '../core/lossless-json.ts';
import { readTextFile } from './values.ts';

type Env = Record<string, string | undefined>;

/** `key=text`, `key=@file`, `key=env:NAME`; `key==text` is the text as it is. */
export function readAssignment(
  typed: string,
  env: Env,
  source: string,
): { key: string; value: string } {
  const at = typed.indexOf('=');
  if (at <= 0)
    throw usageError(`${source}: \`${typed.slice(0, 40)}\` is not of the form key=value.`);
  const key = typed.slice(0, at);
  const text = typed.slice(at + 1);
  if (text.startsWith('=')) return { key, value: text.slice(1) };
  return { key, value: readSecret(text, env, `${source} ${key}`) };
}

/** A value that should not stand on the command line: `@file` or `env:NAME`; anything else is itself. */
export function readSecret(text: string, env: Env, source: string): string {
  if (text.startsWith('@')) return readTextFile(text.slice(1), source).replace(/\r?\n$/, '');
  if (!text.startsWith('env:')) return text;
  const value = env[text.slice(4)];
  if (value) return value;
  throw usageError(`${source}: the variable ${text.slice(4)} is not set.`);
}

/** Puts `a.b.c` ← value into nested objects. */
export function assign(into: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let place = into;
  for (const name of names) {
    const inner = Object.hasOwn(place, name) ? place[name] : undefined;
    const next =
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    Object.defineProperty(place, name, {
      value: next,
      enumerable: true,
      configurable: true,
      writable: true,
    });
    place = next;
  }
  Object.defineProperty(place, last, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Fields of an object from `-f key=text` and `-F key:=json`, in that order. */
export async function readFields(
  texts: readonly string[] = [],
  json: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const typed of texts) {
    const at = typed.indexOf('=');
    if (at <= 0) throw usageError(`--field: \`${typed}\` is not of the form key=text.`);
    assign(fields, checkedPath(typed.slice(0, at), '--field'), typed.slice(at + 1));
  }
  for (const typed of json) {
    const at = typed.indexOf('=');
    const path = typed.slice(0, at).replace(/:$/, '');
    if (at <= 0 || path === '')
      throw usageError(`--json-field: \`${typed}\` is not of the form key:=json.`);
    checkedPath(path, '--json-field');
    assign(fields, path, await parseJson(typed.slice(at + 1), `--json-field ${path}`));
  }
  return fields;
}

function checkedPath(path: string, source: string): string {
  if (!isPathTooDeep(path.split('.'))) return path;
  throw usageError(`${source}: \`${path.slice(0, 40)}…\` is ${tooDeepReason}.`);
}

async function parseJson(text: string, source: string): Promise<unknown> {
  if (isTooDeep(text)) throw usageError(`${source} is ${tooDeepReason}.`);
  try {
    return await readJson(text);
  } catch {
    throw usageError(`${source}: \`${text}\` is not JSON. A text needs quotes, or -f.`);
  }
}
