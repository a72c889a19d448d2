// Credentials and configurations as they are typed, in the types that the request wants.
import type { BodyFields } from '../../api/body-fields.ts';
import { usageError } from '../../core/errors.ts';
import { readAssignment } from '../../input/assignments.ts';
import { readJsonObject } from '../../input/values.ts';

type Env = Record<string, string | undefined>;

/** `apiKey=@file secure=true` → an object. A field that the service does not know is refused. */
export async function readPairs(
  typed: readonly string[],
  fields: BodyFields,
  env: Env,
  source: string,
) {
  const entries = typed.map(async (one) => {
    const { key, value } = readAssignment(one, env, source);
    const type = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (type !== undefined) return [key, await inType(type, value, `${source} ${key}`)];
    throw usageError(`${source}: there is no field \`${key}\`.`, {
      suggestion: { input: key, candidates: Object.keys(fields) },
    });
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<string, unknown>;
}

async function inType(type: string, value: string, source: string): Promise<unknown> {
  if (type === 'object') return readJsonObject(value, source);
  if (type !== 'boolean') return value;
  if (/^(true|false)$/.test(value)) return value === 'true';
  throw usageError(`${source}: \`${value}\` is neither true nor false.`);
}
