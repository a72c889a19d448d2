// Access to the service of the active profile, or of another profile that a command names.

import type { Client } from '../api/client.ts';
import { pages } from '../api/paginate.ts';
import { normalizeBaseUrl } from '../config/base-url.ts';
import { findProfile } from '../config/store.ts';
import { type ChosenProfile, resolveTarget, type Target } from '../config/target.ts';
import { collectItems } from '../core/async.ts';
import { usageError } from '../core/errors.ts';
import { loadKey } from './client.ts';
import { describeTarget } from './confirm.ts';
import type { Context, Service } from './context.ts';

/** Without a name, the active service. Options and variables do not apply to a named profile. */
export async function openService(context: Context, name: string | undefined): Promise<Service> {
  const { connection } = context;
  if (name === undefined)
    return describe(
      context,
      connection.target(),
      await context.client(),
      await connection.apiKey(),
    );
  const target = profileTarget(context, name);
  const apiKey = await loadKey(target, context.host);
  const client = await connection.clientFor(target.baseUrl.value, apiKey, {
    isOtherProfile: true,
    address: target.baseUrl,
  });
  return describe(context, target, client, apiKey);
}

function describe({ host }: Context, target: Target, client: Client, apiKey: string): Service {
  const { keyFrom } = target;
  const isProfile = keyFrom.type === 'profile';
  const servicePages: Service['pages'] = (id, input, limit = Number.POSITIVE_INFINITY) =>
    pages(client, id, input, { limit, signal: host.shutdownSignal });
  return {
    client,
    profile: isProfile ? keyFrom.name : null,
    place: describeTarget(target),
    environmentId: isProfile ? keyFrom.profile.environmentId : undefined,
    apiKey,
    pages: servicePages,
    listAll: (id, input) => collectItems(servicePages(id, input)),
  };
}

/** A stored profile by its name. Throws a usage error if it does not exist. */
export function namedProfile({ configuration }: Context, name: string): ChosenProfile {
  const { profiles } = configuration.read();
  const profile = findProfile({ profiles }, name);
  if (profile) return { value: name, from: 'option', source: 'the command line', profile };
  throw usageError(`Unknown profile \`${name}\`.`, {
    suggestion: { input: name, candidates: Object.keys(profiles) },
    next: ['svc profiles list'],
  });
}

const profileTarget = (context: Context, name: string): Target =>
  resolveTarget({
    sources: { globals: {}, env: {} },
    profile: namedProfile(context, name),
    profileNames: [],
    normalize: normalizeBaseUrl,
  });
