// `key=value` arguments: text, files, environment variables and JSON, at nested paths.
import { usageError } from '../core/errors.ts';
import { isPathTooDeep, isTooDeep, parseJson, tooDeepReason } from '../core/lossless-json.ts';
import { shellWord } from '../core/text.ts';
import {
  readJsonObject,
  readTextFile,
  refuseReference,
  textOrStdin,
  type WorkingFolder,
} from './values.ts';

/** Where `@file` and `env:NAME` are looked up. */
export interface SecretSource extends WorkingFolder {
  env: Record<string, string | undefined>;
}

/** Parses `key=text`, `key=@file` or `key=env:NAME`; `key==text` is literal text. `source` is used in errors. */
export function readAssignment(
  argument: string,
  host: SecretSource,
  source: string,
): { key: string; value: string } {
  const at = argument.indexOf('=');
  if (at <= 0)
    throw usageError(`${source}: \`${argument.slice(0, 40)}\` is not of the form key=value.`);
  const key = argument.slice(0, at);
  const text = argument.slice(at + 1);
  if (text.startsWith('=')) return { key, value: text.slice(1) };
  return { key, value: readSecret(text, host, `${source} ${key}`) };
}

/** Reads a secret from `@file` or `env:NAME`; returns any other text unchanged. */
export function readSecret(text: string, host: SecretSource, source: string): string {
  refuseReference(text, source, host);
  if (text.startsWith('@')) return readTextFile(text.slice(1), source, host).replace(/\r?\n$/, '');
  if (!text.startsWith('env:')) return text;
  const value = host.env[text.slice(4)];
  if (value) return value;
  throw usageError(`${source}: the variable ${text.slice(4)} is not set.`);
}

/** Sets `value` at a path, creating nested objects. */
export function assign(
  target: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): void {
  let parent = target;
  for (const name of path.slice(0, -1)) {
    const inner = Object.hasOwn(parent, name) ? parent[name] : undefined;
    const next =
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    setProperty(parent, name, next);
    parent = next;
  }
  setProperty(parent, path.at(-1) ?? '', value);
}

/** Sets a property. `__proto__` needs `defineProperty` to become an own property. */
export function setProperty(target: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') target[name] = value;
  else
    Object.defineProperty(target, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}

/** Returns an object from `-f key=text` and `-F key:=json`, in that order. */
export async function readFields(
  texts: readonly string[] = [],
  json: readonly string[] = [],
): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {};
  for (const argument of texts) {
    const at = argument.indexOf('=');
    if (at <= 0) throw usageError(`--field: \`${argument}\` is not of the form key=text.`);
    assign(fields, checkedPath(argument.slice(0, at), '--field'), argument.slice(at + 1));
  }
  for (const argument of json) {
    const at = argument.indexOf('=');
    const path = argument.slice(0, at).replace(/:$/, '');
    if (at <= 0 || path === '')
      throw usageError(`--json-field: \`${argument}\` is not of the form key:=json.`);
    assign(
      fields,
      checkedPath(path, '--json-field'),
      await parseJsonField(argument.slice(at + 1), `--json-field ${path}`),
    );
  }
  return fields;
}

/** The names in a path such as `a.b.c`. `source` is the option, for errors. */
export function checkedPath(path: string, source: string): readonly string[] {
  const names = path.split('.');
  if (!isPathTooDeep(names)) return names;
  throw usageError(`${source}: \`${path.slice(0, 40)}…\` is ${tooDeepReason}.`);
}

async function parseJsonField(text: string, source: string): Promise<unknown> {
  if (isTooDeep(text)) throw usageError(`${source} is ${tooDeepReason}.`);
  try {
    return await parseJson(text);
  } catch {
    throw usageError(
      `${source}: \`${text}\` is not JSON. Put a string in double quotes, or use -f.`,
    );
  }
}

interface PayloadOptions {
  payload?: string;
  field?: string[];
  jsonField?: string[];
}

/** The payload of an event. Fields win over members of `--payload`. */
export async function readPayload(
  { payload, field, jsonField }: PayloadOptions,
  host: WorkingFolder & { stdin: AsyncIterable<unknown> },
): Promise<Record<string, unknown>> {
  const [assignment] = /^[\w.-]+:?=.*/s.exec(payload ?? '') ?? [];
  if (assignment !== undefined)
    throw usageError('--payload is a JSON object, not a single field.', {
      hint: `For a field: ${assignment.includes(':=') ? '-F' : '-f'} ${shellWord(assignment)}`,
    });
  return {
    ...(payload === undefined
      ? {}
      : await readJsonObject(await textOrStdin(payload, host.stdin), '--payload', host)),
    ...(await readFields(field, jsonField)),
  };
}
