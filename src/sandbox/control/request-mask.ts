// Masks secrets in requests: members by name and place, passwords in addresses, and in any text the API keys of the
// sandbox and the secret variables of the environment.
import { isObject } from '../../core/objects.ts';
import { isSecretInRequest, mask, maskedValue } from '../../service/secret-fields.ts';
import { allKeys } from '../store/environments.ts';
import type { Scope } from '../store/scope.ts';
import { allVariables } from '../store/variables.ts';

/** Names in requests only: hashes that prove who a subscriber is, tokens, and headers for providers. */
const requestSecret =
  /(token|secret|password|hash|cookie|authorization|(api|secret|access|private|signing)[-_]?key)s?$/i;

const password = /(?<=\b[a-z][a-z\d+.-]*:\/\/)[^\s/?#@]+(?=@)/gi;

/** Returns a function that masks a value from a request to an environment, or from its response. */
export function createRequestMask(scope: Scope): <T>(value: T) => T {
  const variables = allVariables(scope).filter(({ isSecret }) => isSecret);
  const secrets = variables.flatMap(({ values }) => values.map(({ value }) => value));
  // A shorter value is part of other texts.
  const keys = [...allKeys(scope.sql), ...secrets.filter(({ length }) => length > 5)];
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
    isSecretInRequest(inner, last, last === name ? container : { [last]: member }) ||
    (last === 'credentials' && typeof member === 'string') ||
    // A list of headers.
    (last === 'value' && [container.key, container.name].some(isSecretName))
  );
}

const isSecretName = (name: unknown) => typeof name === 'string' && requestSecret.test(name);

/** An object with such a name, such as the schema of a member, can contain secrets of any name. */
const maskedMember = (member: unknown) =>
  typeof member === 'boolean' ? member : maskedValue(member);
