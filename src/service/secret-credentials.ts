// Which members of the credentials of an integration are secret.

export const secretMask = '********';

/** Members that are not secret, besides switches such as `secure`. */
const publicCredentials = new Set([
  'from',
  'senderName',
  'host',
  'port',
  'region',
  'domain',
  'user',
  'channelId',
]);

export const isSecretCredential = (name: string, value: unknown): boolean =>
  !publicCredentials.has(name) && typeof value !== 'boolean';
