// The members of requests and responses that are secret, by name and place.
import { isAddressSecret } from './schemas/vocabulary.ts';

export const mask = '********';

/** Members of a `credentials` object that are not secret, besides switches such as `secure`. */
const publicCredentials = new Set([
  'from',
  'senderName',
  'host',
  'port',
  'region',
  'domain',
  'user',
  'channelId',
  'method',
  'routingMode',
  'fromAddressOverride',
]);

export const isSecretCredential = (name: string, value: unknown): boolean =>
  !publicCredentials.has(name) && typeof value !== 'boolean';

const secretFields = new Set([
  'inboundWebhookSigningKey',
  'deviceToken',
  'deviceTokens',
  'webhookUrl',
  'directWebhookUrl',
]);

const apiKeyFields = new Set(['key', 'hash']);

/** Secret members of the endpoint of a channel, by which a tool or webhook is reached. */
const endpointFields = new Set(['routingKey', 'apiKey', 'authToken', 'token', 'url', 'headers']);

/** Whether it is the connection of a subscriber or context to a channel, whose member `auth` has the tokens. */
const isConnection = (container: Record<string, unknown>): boolean =>
  'integrationIdentifier' in container || 'workspace' in container;

/** Whether the member `name` of `container` is secret. `parent` is the name of the member that is the container. */
export function isSecretField(
  parent: string,
  name: string,
  container: Record<string, unknown>,
): boolean {
  if (parent === 'credentials' && !isProviderOfPerson(container))
    return isSecretCredential(name, container[name]);
  if (name === 'auth' && isConnection(container)) return true;
  if (parent === 'endpoint' && endpointFields.has(name)) return true;
  if (name === 'recipient') return isAddressSecret(String(container.channel));
  return secretFields.has(name) || (parent === 'apiKeys' && apiKeyFields.has(name));
}

/** Also the values of variables of an environment: a request does not say whether they are secret. */
export const isSecretInRequest = (
  parent: string,
  name: string,
  container: Record<string, unknown>,
): boolean =>
  isSecretField(parent, name, container) ||
  (parent === 'values' && name === 'value' && '_environmentId' in container);

/** Also what is not secret of the credentials of integrations: it may have come from a variable. */
export const isHiddenInLog = (
  parent: string,
  name: string,
  container: Record<string, unknown>,
): boolean =>
  isSecretInRequest(parent, name, container) ||
  (parent === 'credentials' &&
    typeof container[name] === 'string' &&
    !isProviderOfPerson(container));

/** Whether it is a provider of a subscriber, whose own member `credentials` has the secrets. */
const isProviderOfPerson = ({ providerId, credentials }: Record<string, unknown>): boolean =>
  typeof providerId === 'string' && typeof credentials === 'object' && credentials !== null;

/** Empty values are shown. */
export function maskedValue(value: unknown): unknown {
  if (value === null || value === undefined || value === '') return value;
  return Array.isArray(value) ? value.map(() => mask) : mask;
}
