// Features and restrictions of servers, by version. Only messages depend on the version: the client judges each
// response by its content.
import { isObject } from '../core/objects.ts';
import { beginsBetween, isAtLeast, nextMinor, verifiedVersions } from './versions.ts';

/** Restrictions of keys, and checks of the server, from a version on. `id`: an upgrade can affect what is there. */
const restrictions = [
  {
    id: 'own-environment',
    since: '3.17.0',
    text: 'a key reads the integrations and the key of its own environment only',
  },
  {
    id: 'hidden-credentials',
    since: '3.17.0',
    text: 'credentials of integrations are not readable',
  },
  { id: 'private-bridge', since: '3.17.0', text: 'bridge addresses must be public' },
  { since: '3.17.0', text: 'the inbox of a new production environment requires an HMAC hash' },
  { since: '3.18.0', text: 'a key deletes its own environment only' },
] as const;

/** Other changes of what is there. */
const migrations = [
  { id: 'subscription-identifiers', since: '3.12.0' },
  { id: 'workflow-status', since: '3.19.0' },
] as const;

/** Features that older servers do not offer. */
const additions = [
  { since: '3.12.0', text: 'named topic subscriptions with conditions' },
  { since: '3.15.0', text: 'inbox routes to archive, snooze and delete notifications' },
  { since: '3.15.0', text: 'environment variables' },
  { since: '3.17.0', text: 'channel connections and endpoints' },
  { since: '3.19.0', text: 'the channel `tool`' },
] as const;

/** The restrictions of a server of this version, and the features that it lacks. */
export const versionFacts = (version: string) => ({
  restricts: restrictions.filter(({ since }) => isAtLeast(version, since)).map(({ text }) => text),
  lacks: additions.filter(({ since }) => !isAtLeast(version, since)).map(({ text }) => text),
  isVerified:
    isAtLeast(version, verifiedVersions.oldest) &&
    !isAtLeast(version, nextMinor(verifiedVersions.newest)),
});

const changes = [...restrictions.filter((change) => 'id' in change), ...migrations];
export type ChangeId = (typeof changes)[number]['id'];

/** The changes that take effect with an upgrade from one version to another, each with its version, such as 3.17. */
export const changesBetween = (from: string, to: string) =>
  changes
    .filter(({ since }) => beginsBetween(from, to, since))
    .map(({ id, since }) => ({ id, since: since.replace(/\.0$/, '') }));

/** The version in a response to `GET /v1/health-check`, such as 3.19.0. */
export function readVersion(health: unknown): string | undefined {
  const info = isObject(health) && isObject(health.info) ? health.info.apiVersion : undefined;
  const version = isObject(info) && typeof info.version === 'string' ? info.version : '';
  return /^\d{1,4}\.\d{1,4}\.\d{1,4}/.exec(version)?.[0];
}

// The addresses of the hosted service. A key is valid in one region only.

interface CloudRegion {
  name: string;
  baseUrl: string;
}

export const cloudRegions: readonly CloudRegion[] = [
  { name: 'Novu Cloud, US', baseUrl: 'https://api.novu.co' },
  { name: 'Novu Cloud, EU', baseUrl: 'https://eu.api.novu.co' },
];

/** The region with this address and the other one; undefined for any other service. */
export function findRegions(baseUrl: string): { own: CloudRegion; other: CloudRegion } | undefined {
  const own = cloudRegions.find((region) => region.baseUrl === baseUrl);
  const other = cloudRegions.find((region) => region !== own);
  return own && other && { own, other };
}
