// Masks secrets in the log of requests: members by name and place, passwords in addresses, and the API keys of the
// sandbox in any text.
import { isObject } from '../../core/objects.ts';
import { isSecretField, mask, maskedValue } from '../../service/secret-fields.ts';

/** Names in requests only: hashes that prove who a subscriber is, tokens, and headers for providers. */
const requestSecret =
  /(token|secret|password|hash|cookie|authorization|(api|secret|access|private|signing)[-_]?key)s?$/i;

const password = /(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+(?=@)/gi;

/** Returns a function that masks a value from a request. `keys` are the API keys of the sandbox. */
export function createRequestMask(keys: readonly string[]): <T>(value: T) => T {
  const withoutKeys = (text: string) =>
    keys.reduce((rest, key) => rest.replaceAll(key, mask), text);
  const walk = (value: unknown, parent: string, isPayload: boolean): unknown => {
    if (typeof value === 'string')
      return withoutKeys(isPayload ? value : value.replace(password, mask));
    if (Array.isArray(value)) return value.map((item) => walk(item, parent, isPayload));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        withoutKeys(name),
        !isPayload && isSecret(parent, name, value)
          ? maskedMember(member)
          : // Messages show the payload of their event too.
            walk(member, name, isPayload || name === 'payload'),
      ]),
    );
  };
  return <T>(value: T) => walk(value, '', false) as T;
}

function isSecret(parent: string, name: string, container: Record<string, unknown>): boolean {
  const member = container[name];
  // A query, and a form that is nested too deeply, have names such as `credentials[apiKey]` and `deviceTokens[]`.
  const names = [parent, ...name.split(/[[\]]+/).filter((part) => part !== '')];
  const [inner = '', last = ''] = names.slice(-2);
  return (
    requestSecret.test(last) ||
    isSecretField(inner, last, last === name ? container : { [last]: member }) ||
    (last === 'credentials' && typeof member === 'string') ||
    // A list of headers.
    (last === 'value' && [container.key, container.name].some(isSecretName))
  );
}

const isSecretName = (name: unknown) => typeof name === 'string' && requestSecret.test(name);

/** An object with such a name, such as the schema of a member, can contain secrets of any name. */
const maskedMember = (member: unknown) =>
  typeof member === 'boolean' ? member : maskedValue(member);
