// Saves the profile of an environment, and decides whether it is protected: every write must be confirmed with its name.

import type { Client } from '../../api/client.ts';
import type { Context } from '../../app/context.ts';
import {
  environmentFacts,
  isNamedProduction,
  isProtected,
  type ListedEnvironment,
  withListedFacts,
} from '../../config/environment-facts.ts';
import { type NewProfile, openProfiles } from '../../config/profiles.ts';
import { findProfile, type Profile } from '../../config/store.ts';
import { raceAbort } from '../../core/async.ts';
import { SvcError } from '../../core/errors.ts';
import { connectControl, ifRunning } from '../../sandbox/control/client.ts';
import { readVersion } from '../../service/servers.ts';

type UnprotectedProfile = Omit<NewProfile, 'protected' | keyof ReturnType<typeof environmentFacts>>;

/**
 * Saves a profile. Without a choice, an earlier one applies, else profiles of production environments are protected. If
 * such an environment is not named Production, asks on a terminal.
 */
export async function saveProtected(
  { prompt, configuration, note }: Context,
  name: string,
  profile: UnprotectedProfile,
  environment: ListedEnvironment | undefined,
  choice?: boolean,
) {
  const profiles = openProfiles(configuration);
  const facts = environment ? environmentFacts(environment) : {};
  // Checked before the question.
  profiles.checkTarget(name, { ...profile, ...facts });
  const stored = findProfile(configuration.read(), name);
  const isDefault =
    environment !== undefined &&
    choice === undefined &&
    isProtected(facts) &&
    !(stored && withListedFacts(stored, environment).protected !== undefined);
  const asks = isDefault && !isNamedProduction(facts) && prompt.isPossible;
  const isWanted = asks
    ? await prompt.confirm(
        `${environment.name} is a production environment. Protect profile ${name}, so that every write needs --confirm ${name}?`,
        { needsAnswer: true },
      )
    : choice;
  const saved = await profiles.save(name, {
    ...profile,
    ...facts,
    ...(isWanted === undefined ? {} : { protected: isWanted }),
  });
  if (isDefault && !asks)
    note(
      `Profile ${name} is protected: every write needs --confirm ${name}. To remove the protection: svc profiles unprotect ${name}`,
    );
  return saved;
}

// Finds out whether the sandbox of a profile is running.

/** A running sandbox of this machine answers within milliseconds. */
const patienceMs = 2_000;

/**
 * Without a key the status cannot be requested. Returns false then, because `svc sandbox start` can create the profile
 * again.
 */
export async function isSandboxRunning(
  { connection, host: { clock, shutdownSignal } }: Context,
  { baseUrl, key }: Profile,
): Promise<boolean> {
  if (key === undefined) return false;
  const client = await connection.clientFor(baseUrl, key, { retries: 0 });
  const { signal, clear } = clock.deadline(patienceMs, shutdownSignal);
  const status = raceAbort(ifRunning(connectControl(client).status()), signal);
  return (await status.catch(() => undefined).finally(clear)) !== undefined;
}

// Reads the version of the server from its health check, for messages.

/** Undefined if the server does not say. Makes one attempt, because no result depends on it. */
export async function readServiceVersion(client: Client): Promise<string | undefined> {
  try {
    const { value } = await client.send({
      method: 'GET',
      target: '/v1/health-check',
      isOptional: true,
      isLookUp: true,
      retrySignal: AbortSignal.abort(),
    });
    return readVersion(value);
  } catch (error) {
    if (error instanceof SvcError) return undefined;
    throw error;
  }
}

/** Stores the version with the profile that the server was reached by. */
export async function storeServiceVersion(
  { configuration }: Pick<Context, 'configuration'>,
  name: string,
  version: string,
): Promise<void> {
  await configuration.change(({ profiles }) => {
    const profile = findProfile({ profiles }, name);
    if (profile) profile.serviceVersion = version;
  });
}
