// Finds the parts of an environment that an upgrade of the server affects.

import type { Context, Service } from '../../app/context.ts';
import { environmentOfKey, standsFor } from '../../config/environment-facts.ts';
import { isNotOffered } from '../../core/errors.ts';
import { isLoopback, isPrivateAddress } from '../../core/loopback.ts';
import { asObject } from '../../core/objects.ts';
import { shellWord } from '../../core/text.ts';
import { createAccess, noteMissing, readAllKinds } from '../../environment/access.ts';
import {
  compareCredentials,
  credentialTypes,
  inAppChannel,
} from '../../environment/credentials.ts';
import { listedEnvironments } from '../../environment/environments.ts';
import { openEnvironmentFolder, readEnvironmentFolder } from '../../environment/folder.ts';
import { readVariables } from '../../environment/push-sources.ts';
import { createRemoteReader, type FoundResource } from '../../environment/remote.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { type ChangeId, changesBetween } from '../../service/servers.ts';
import type { Finding, Upgrade } from './check.ts';
import { workflowFindings } from './workflow-findings.ts';

interface CheckOptions {
  dir: string | undefined;
  envFile: string | undefined;
  skip: readonly string[];
}

interface Facts {
  context: Context;
  service: Service;
  upgrade: Upgrade;
  options: CheckOptions;
  environments: readonly Environment[];
  /** Integrations, layouts and workflows. */
  resources: readonly FoundResource[];
  /** The first version with the change. */
  since: string;
}

export type Found = Omit<Finding, 'id'>;

export async function environmentFindings(
  context: Context,
  upgrade: Upgrade,
  options: CheckOptions,
): Promise<Finding[]> {
  const changes = changesBetween(upgrade.from, upgrade.to).filter(
    ({ id }) => !options.skip.includes(id),
  );
  if (changes.length === 0) return [];
  const service = await context.connection.service();
  const environments = await listedEnvironments(context);
  const access = createAccess(service, createRemoteReader(service.client));
  const { usable: resources, missing } = await readAllKinds(access, [
    ...(['integration', 'layout', 'workflow'] as const),
  ]);
  noteMissing(context, 'checked', missing);
  const shared = { context, service, upgrade, options, environments, resources };
  const findings: Finding[] = [];
  for (const { id, since } of changes)
    for (const found of await checks[id]({ ...shared, since })) findings.push({ id, ...found });
  return findings;
}

const checks: Record<ChangeId, (facts: Facts) => Promise<Found[]> | Found[]> = {
  'own-environment': findKeys,
  'hidden-credentials': findCredentials,
  'private-bridge': findBridges,
  'subscription-identifiers': findSubscriptions,
  'workflow-status': ({ context, upgrade, resources }) =>
    workflowFindings(context, upgrade, resources),
};

/** Environments whose keys svc knows only through the list. */
function findKeys({ context, service, environments, since }: Facts): Found[] {
  const own = environmentOfKey(environments, service.apiKey);
  const profiles = Object.values(context.configuration.read().profiles).filter(
    ({ baseUrl, key, keySource }) =>
      baseUrl === service.client.baseUrl && (key !== undefined || keySource === 'keychain'),
  );
  const isKept = (environment: Environment) =>
    environment === own || profiles.some((profile) => standsFor(profile, environment));
  return environments
    .filter((environment) => environment.apiKeys?.length && !isKept(environment))
    .map(({ name }) => ({
      thing: `environment ${name}`,
      message: `No profile has its key. From ${since} on, a list of environments shows the key of the active environment only.`,
      next: 'svc environments list --save-profiles',
    }));
}

async function findCredentials({ context, resources, options, since }: Facts): Promise<Found[]> {
  const { dir, envFile } = options;
  const types = await credentialTypes();
  const folder = dir === undefined ? undefined : openEnvironmentFolder(dir, context.host.cwd);
  const files = folder
    ? readEnvironmentFolder(folder, folder.shownAs, Object.keys(types), ['integration']).resources
    : [];
  const variables = readVariables(context, envFile);
  return resources.flatMap(({ resource: { kind, id }, response }): Found[] => {
    const stored = Object.entries(asObject(response.credentials)).filter(([, value]) => value);
    if (kind !== 'integration' || id === inAppChannel || stored.length === 0) return [];
    const file = files.find(({ resource }) => resource.id === id)?.resource;
    const wanted = (file?.kind === 'integration' && file.credentials) || {};
    const { state } = compareCredentials(wanted, Object.fromEntries(stored), types, variables);
    if (folder && state === 'equal') return [];
    const reason =
      state === 'unknown' ? 'refers to variables without a value' : 'does not have these values';
    return [
      {
        thing: `integration ${id}`,
        message: `From ${since} on, no key can read its credentials. Keep them outside the service${folder ? `: ${dir} ${reason}` : ''}.`,
        next: `svc integrations get ${shellWord(id)} --reveal --json`,
      },
    ];
  });
}

function findBridges({ environments, since }: Facts): Found[] {
  return environments.flatMap(({ name, bridge, echo }) => {
    const url = asObject(bridge).url ?? asObject(echo).url;
    if (typeof url !== 'string' || !isPrivateUrl(url)) return [];
    const message = `From ${since} on, the server does not call its bridge at ${url}, which is in a private network. Allow the host in NOVU_SAFE_OUTBOUND_ALLOW of the API and the worker, then pass --skip private-bridge.`;
    return [{ thing: `environment ${name}`, message }];
  });
}

/** A name without a dot, or with an internal suffix, has an address of a private network. */
function isPrivateUrl(url: string): boolean {
  const hostname = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  return (
    isLoopback(hostname) ||
    isPrivateAddress(hostname) ||
    /^[^.:]+$|\.(?:internal|local|lan|localdomain)$/.test(hostname)
  );
}

/** One subscription is enough, because the migration changes all. */
async function findSubscriptions({ service, since }: Facts): Promise<Found[]> {
  try {
    for await (const { items } of service.pages('listTopics', { query: {} }))
      for (const { key: topicKey } of items) {
        const options = { path: { topicKey }, query: { limit: 1 } };
        const { data } = await service.client.call('listTopicSubscriptions', options);
        if (data.every(({ identifier }) => identifier)) continue;
        const message = `Its subscriptions have no identifier, and those of other topics may lack it, too. From ${since} on, subscribing again creates a second subscription until the migration has run.`;
        return [{ thing: `topic ${topicKey}`, message }];
      }
  } catch (error) {
    if (!isNotOffered(error)) throw error;
  }
  return [];
}
