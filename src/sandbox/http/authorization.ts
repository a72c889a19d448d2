// Authorizes a request by its API key. Returns the id of the key's environment.

import { timingSafeEqual } from 'node:crypto';
import type { Dialect } from '../store/dialect.ts';
import { environmentOfKey } from '../store/environments.ts';
import type { Sql } from '../store/sql.ts';
import { forbidden, type HttpError, unauthorized } from './http-error.ts';

export function authorize(sql: Sql, authorizationHeader: string | null): string {
  if (!authorizationHeader) throw unauthorized('Missing authorization header');
  const [scheme = '', ...rest] = authorizationHeader.split(' ');
  if (scheme !== 'ApiKey' && scheme !== 'Bearer')
    throw unauthorized(`Invalid authentication scheme: "${scheme}"`);
  // Without a key, the service expects the token of a session.
  if (rest.length === 0 || scheme === 'Bearer')
    throw unauthorized('Unauthorized', { context: { statusCode: 401 } });
  const key = rest.join(' ');
  const environmentId = environmentOfKey(sql, key);
  if (environmentId === undefined) throw unauthorized('API Key not found');
  return environmentId;
}

const environments = new WeakMap<Request, string>();

/** Authorizes a request, and remembers its environment for the log of requests. */
export function authorizeRequest(sql: Sql, request: Request): string {
  const environmentId = authorize(sql, request.headers.get('authorization'));
  rememberEnvironment(request, environmentId);
  return environmentId;
}

export const rememberEnvironment = (request: Request, environmentId: string): void =>
  void environments.set(request, environmentId);

/** Undefined for a request that was not authorized. */
export const environmentOfRequest = (request: Request): string | undefined =>
  environments.get(request);

// Since a later version, a key is for one environment. Sessions of people are not.

const useOther = (from: string) => `Use ${from}, or authenticate with a session token.`;
const otherCredentials = useOther('credentials from the target environment');

/** The error for a request that names another environment than that of the key. */
export const otherEnvironment = (): HttpError =>
  forbidden(
    `This authentication scheme is scoped to a single environment and cannot target a different \`_environmentId\`. ${otherCredentials}`,
  );

export const otherEnvironmentDeleted = (): HttpError =>
  forbidden(
    `This authentication scheme is scoped to a single environment and cannot delete a different environment. ${otherCredentials}`,
  );

/** The error for a request about an integration of another environment. */
export const otherIntegration = (action: string): HttpError =>
  forbidden(
    `API key authentication is scoped to a single environment and cannot ${action} an integration that belongs to a different environment. ${useOther("an API key from the integration's environment")}`,
  );

/** Throws if the key is for its own environment alone, and the request names another one. */
export function checkTarget(
  { dialect, environmentId }: { dialect: Pick<Dialect, 'isKeyLimited'>; environmentId: string },
  target: string | null | undefined,
): void {
  if (dialect.isKeyLimited && target && target !== environmentId) throw otherEnvironment();
}

// Compares secrets in a time that does not depend on their content.

export function isSameSecret(actual: string, expected: string): boolean {
  const [bytes, expectedBytes] = [Buffer.from(actual), Buffer.from(expected)];
  return bytes.length === expectedBytes.length && timingSafeEqual(bytes, expectedBytes);
}
