// Masks secrets in the log of requests: members by name and place, and the API keys of the sandbox in any text.
import { isObject } from '../../core/objects.ts';
import { isSecretField, mask, maskedValue } from '../../service/secret-fields.ts';

/** The service has such members in requests only: hashes that prove who a subscriber is, and tokens. */
const requestSecret = /(token|secret|password|hash|api_?key|secret_?key|authorization)s?$/i;

/** Returns a function that masks a value from a request. `keys` are the API keys of the sandbox. */
export function createRequestMask(keys: readonly string[]): <T>(value: T) => T {
  const walk = (value: unknown, parent: string, isPayload: boolean): unknown => {
    if (typeof value === 'string')
      return keys.reduce((text, key) => text.replaceAll(key, mask), value);
    if (Array.isArray(value)) return value.map((item) => walk(item, parent, isPayload));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        !isPayload && (isSecretField(parent, name, value) || requestSecret.test(name))
          ? maskedMember(member)
          : // Messages show the payload of their event too.
            walk(member, name, isPayload || name === 'payload'),
      ]),
    );
  };
  return <T>(value: T) => walk(value, '', false) as T;
}

/** An object with such a name, such as the schema of a member, can contain secrets of any name. */
const maskedMember = (member: unknown) =>
  typeof member === 'boolean' ? member : maskedValue(member);
