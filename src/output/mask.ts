// Replaces secrets in data from the service by `********`, by field name and at any depth.

import { isJsonObject } from '../core/lossless-json.ts';
import { jsonOr } from '../core/objects.ts';
import { isSecretField, isSecretInRequest, mask, maskedValue } from '../service/secret-fields.ts';

export { mask };

/** Returns the value with every secret masked. Copies only what changes, because listings are large. */
export function masked<T>(value: T, isMasked = isSecretField): T {
  return walk(value, '', isMasked) as T;
}

function walk(value: unknown, parent: string, isMasked: typeof isSecretField): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, parent, isMasked));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const member = value[name];
    const replaced = isMasked(parent, name, value)
      ? maskedValue(member)
      : name === 'raw' && typeof member === 'string'
        ? maskedText(member, isMasked)
        : walk(member, name, isMasked);
    if (replaced === member) continue;
    copy ??= { ...value };
    // The name may be `__proto__`.
    Object.defineProperty(copy, name, { value: replaced });
  }
  return copy ?? value;
}

/** The service stores the data of an execution detail as a text of JSON, with the addresses that a provider was given. */
function maskedText(text: string, isMasked: typeof isSecretField): string {
  if (!/^[[{]/.test(text)) return text;
  const data = jsonOr(text, undefined);
  const safe = walk(data, 'raw', isMasked);
  return safe === data ? text : JSON.stringify(safe);
}

/** The path of a secret field in JSON text whose value is exactly the mask, or undefined. */
export function findMaskedSecret(json: string | Uint8Array): string | undefined {
  // A view without a copy, because bodies of bulk requests are large.
  const text =
    typeof json === 'string' ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  if (!text.includes(mask)) return undefined;
  // Text that is not JSON has no fields.
  return findMaskedSecretIn(jsonOr(text.toString(), undefined));
}

/** The path of a secret field in a parsed value whose value is exactly the mask, or undefined. */
export function findMaskedSecretIn(value: unknown): string | undefined {
  for (const { place, member } of secretsIn(value)) if (isMask(member)) return place;
  return undefined;
}

/** Shorter texts occur in the words of an error, which would be lost. */
const minSecretLength = 4;

/** The texts of secret fields in the body of a request, except for very short ones. */
export const findSecretTexts = (json: Uint8Array): string[] =>
  [...secretsIn(jsonOr(Buffer.from(json).toString(), undefined))]
    .flatMap(({ member }) => member)
    .filter((text): text is string => typeof text === 'string' && text.length >= minSecretLength);

/** Uses an explicit stack, because bodies may be deeply nested. */
function* secretsIn(value: unknown): Generator<{ place: string; member: unknown }, void, void> {
  const open = [{ value, path: '', parent: '' }];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const { value: container, path, parent } = one;
    if (typeof container !== 'object' || container === null) continue;
    const isList = Array.isArray(container);
    for (const [name, member] of Object.entries(container)) {
      const place = path === '' ? name : `${path}.${name}`;
      if (!isList && isSecretInRequest(parent, name, container as Record<string, unknown>))
        yield { place, member };
      open.push({ value: member, path: place, parent: isList ? parent : name });
    }
  }
}

const isMask = (value: unknown): boolean =>
  value === mask || (Array.isArray(value) && value.includes(mask));
