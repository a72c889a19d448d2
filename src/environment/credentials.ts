// Credentials of integrations in files: plain values, and references to environment variables in the place of secrets.
import { usageError } from '../core/errors.ts';
import { isJsonObject } from '../core/lossless-json.ts';
import { type JsonObject, jsonOr } from '../core/objects.ts';
import { missingUnseenCredentials } from '../service/providers.ts';
import { isSecretCredential, mask } from '../service/secret-fields.ts';
import { type Change, compare } from './compare.ts';

/** Each environment has its own integration for this channel. */
export const inAppChannel = 'in_app';

/** `{ $env: NAME }` */
interface Reference {
  $env: string;
}

export type GivenCredentials = Readonly<Record<string, string | boolean | Reference>>;

export const isReference = (value: unknown): value is Reference =>
  isJsonObject(value) && Object.keys(value).length === 1 && typeof value.$env === 'string';

/** Returns the value of a variable; undefined if it is not set or empty. */
export type Variables = (name: string) => string | undefined;

/** The type of each credential in a request, by name. */
export type CredentialTypes = Readonly<Record<string, string>>;

/** Such as SVC_API_KEY: a file from another person must not send it to an integration. */
export const isVariableOfSvc = (name: string): boolean => /^SVC_/i.test(name);

export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);

/** Names for variables; `used` are those so far, and the new ones are added. */
interface NewNames {
  types: CredentialTypes;
  used: Set<string>;
}

/**
 * A reference for each credential that the provider requires, for a service that shows none: what is stored is unknown.
 */
export const requiredReferences = (
  identifier: string,
  providerId: string,
  { types, used }: NewNames,
): Record<string, Reference> => {
  const required = missingUnseenCredentials(providerId, {});
  return Object.fromEntries(
    Object.keys(types)
      .filter((name) => required.includes(name))
      .map((name) => [name, { $env: newName(`${identifier}_${name}`, used) }]),
  );
};

/**
 * The credentials of a response as a file contains them: a reference for each secret. `kept` are the references that
 * the file already has.
 */
export function toFileCredentials(
  identifier: string,
  credentials: JsonObject,
  { kept, types, used }: NewNames & { kept: GivenCredentials | undefined },
): GivenCredentials {
  return Object.fromEntries(
    Object.keys(types).flatMap((name): [string, GivenCredentials[string]][] => {
      const value = credentials[name];
      if (value === undefined || value === null || value === '') return [];
      const previous = kept && Object.hasOwn(kept, name) ? kept[name] : undefined;
      if (isReference(previous)) return [[name, previous]];
      // A new environment has an in-app integration whose switches are absent instead of off.
      if (value === false && identifier === inAppChannel) return [];
      if (typeof value === 'boolean') return [[name, value]];
      if (!isSecretCredential(name, value)) return [[name, String(value)]];
      return [[name, { $env: newName(`${identifier}_${name}`, used) }]];
    }),
  );
}

/** The reference for the value of a secret variable. */
export const secretReference = (key: string, used: Set<string>): Reference => ({
  $env: newName(key, used),
});

/** `sendgrid`, `apiKey` → `SENDGRID_API_KEY`. */
function newName(text: string, used: Set<string>): string {
  const words = text
    .replace(/(?<=[a-z\d])(?=[A-Z])/g, '_')
    .replace(/[^A-Za-z\d]+/g, '_')
    .toUpperCase();
  const base = /^\d/.test(words) || isVariableOfSvc(words) ? `_${words}` : words;
  let name = base;
  for (let number = 2; used.has(name); number += 1) name = `${base}_${number}`;
  used.add(name);
  return name;
}

/** The names of the variables that have no value. */
export const missingNames = (credentials: GivenCredentials, variables: Variables): string[] =>
  Object.values(credentials).flatMap((value) =>
    isReference(value) && variables(value.$env) === undefined ? [value.$env] : [],
  );

/** The credentials to send. Throws a usage error for a value that cannot be converted; it names the variable. */
export const resolveCredentials = (
  credentials: GivenCredentials,
  types: CredentialTypes,
  variables: Variables,
): JsonObject =>
  Object.fromEntries(
    Object.entries(credentials).map(([name, value]) => [
      name,
      isReference(value) ? convert(variables(value.$env) ?? '', types[name], value.$env) : value,
    ]),
  );

function convert(text: string, type: string | undefined, variable: string): unknown {
  if (type === 'boolean') {
    if (/^(true|false)$/.test(text)) return text === 'true';
    throw usageError(`The value of ${variable} must be true or false.`);
  }
  if (type !== 'object') return text;
  const value = jsonOr(text, undefined);
  if (isJsonObject(value)) return value;
  throw usageError(`The value of ${variable} must be a JSON object.`);
}

/** The credentials of a response that are not secret. */
export const readableCredentials = (credentials: JsonObject): GivenCredentials =>
  Object.fromEntries(
    Object.entries(credentials).flatMap(([name, value]) =>
      isText(value) && !isSecretCredential(name, value) ? [[name, value]] : [],
    ),
  );

const isText = (value: unknown): value is string | boolean =>
  typeof value === 'string' || typeof value === 'boolean';

export type CredentialState = 'equal' | 'differ' | 'unknown';

export interface ComparedCredentials {
  state: CredentialState;
  /** Without the values of secrets and of references. */
  changes: Change[];
  /** The changes of fields that are not secret. */
  readable: Change[];
}

/** `current`: undefined if the service does not show them. */
export function compareCredentials(
  wanted: GivenCredentials,
  current: JsonObject | undefined,
  types: CredentialTypes,
  variables: Variables,
): ComparedCredentials {
  let isUnknown = current === undefined;
  const readable: Change[] = [];
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(current ?? {})])];
  const changes = names.flatMap((name): Change[] => {
    const inFile = Object.hasOwn(wanted, name) ? wanted[name] : undefined;
    const stored = current?.[name] || undefined;
    const isResolved = !isReference(inFile) || variables(inFile.$env) !== undefined;
    if (!isResolved || isReference(stored)) {
      isUnknown = true;
      return [];
    }
    const value = isReference(inFile)
      ? convert(variables(inFile.$env) ?? '', types[name], inFile.$env)
      : inFile || undefined;
    if (current === undefined || compare(stored, value).length === 0) return [];
    const isSecret = isSecretCredential(name, stored ?? value);
    // The stored value of a field with a reference came from a variable, too.
    const from = isSecret || isReference(inFile) ? mask : stored;
    const to = isReference(inFile) ? inFile : isSecret ? mask : value;
    const change = {
      path: `credentials.${name}`,
      ...(stored === undefined ? {} : { from }),
      ...(value === undefined ? {} : { to }),
    };
    if (!isSecret) readable.push(change);
    return [change];
  });
  const state = changes.length > 0 ? 'differ' : isUnknown ? 'unknown' : 'equal';
  return { state, changes, readable };
}

// The credentials that an integration can have in a request, with their types.

export async function credentialTypes(): Promise<CredentialTypes> {
  const { bodyFields } = await import('../api/operation-fields.ts');
  return bodyFields('createIntegration', 'credentials');
}
