// Updates what profiles store about their environments when a listing of the service shows it: a profile whose
// environment has become a production environment is protected from then on.

import {
  environmentFacts,
  isProtected,
  type ListedEnvironment,
  standsFor,
  storedFacts,
  withListedFacts,
} from '../config/environment-facts.ts';
import type { ConfigStore, Profile } from '../config/store.ts';
import { errorMessage } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import type { OperationId } from '../service/operations/index.ts';

export interface ProfileUpdater {
  record(baseUrl: string, operationId: OperationId, response: unknown): void;
  /** Stores the facts that have changed, and reports changes of the protection. */
  save(warn: (text: string) => void): Promise<void>;
}

export function createProfileUpdater(store: ConfigStore): ProfileUpdater {
  const listings = new Map<string, ListedEnvironment[]>();
  const findChanges = (profiles: Record<string, Profile>) =>
    Object.entries(profiles).flatMap(([name, before]) => {
      const environment = matchEnvironment(before, listings.get(before.baseUrl) ?? []);
      const after = environment && withListedFacts(before, environment);
      return after && differs(before, after) ? [{ name, before, after }] : [];
    });
  return {
    record(baseUrl, operationId, response) {
      if (operationId === 'listEnvironments' && Array.isArray(response))
        listings.set(baseUrl, response.filter(isEnvironment));
    },
    async save(warn) {
      if (listings.size === 0) return;
      try {
        if (findChanges(store.read().profiles).length === 0) return;
        const changes = await store.change(({ profiles }) => {
          const all = findChanges(profiles);
          for (const { name, after } of all) profiles[name] = after;
          return all;
        });
        for (const { name, before, after } of changes) {
          const text = protectionChange(name, before, after);
          if (text !== undefined) warn(text);
        }
      } catch (error) {
        // The command itself has finished.
        warn(`The profiles were not updated: ${errorMessage(error)}`);
      }
    },
  };
}

const isEnvironment = (value: unknown): value is ListedEnvironment =>
  isObject(value) && typeof value._id === 'string' && typeof value.name === 'string';

/** The environment of a profile by its id; without an id, by its key or name, if only one environment matches. */
function matchEnvironment(
  profile: Profile,
  environments: readonly ListedEnvironment[],
): ListedEnvironment | undefined {
  const { environment: name, environmentId, sandbox } = profile;
  if (environmentId !== undefined) return environments.find(({ _id }) => _id === environmentId);
  // A sandbox creates its environments with new ids.
  if (sandbox) return undefined;
  const [match, ...others] = environments.filter((environment) => standsFor(profile, environment));
  if (!match || others.length > 0) return undefined;
  // The key belongs to an environment with another name, which matters only for the protection.
  const isRenamed = name !== undefined && name !== match.name;
  return isRenamed && !isProtected(environmentFacts(match)) ? undefined : match;
}

const differs = (before: Profile, after: Profile) =>
  JSON.stringify([storedFacts(before), before.protected]) !==
  JSON.stringify([storedFacts(after), after.protected]);

function protectionChange(name: string, before: Profile, after: Profile): string | undefined {
  const remove = `To remove the protection: svc profiles unprotect ${name}`;
  if (isProtected(after) && !isProtected(before))
    return `Profile ${name} is protected from now on, because its environment ${after.environment} is a production environment. Every write needs --confirm ${name}. ${remove}`;
  if (after.protected === true && before.protected === undefined)
    return `Profile ${name} stays protected, although its environment is now named ${after.environment}. ${remove}`;
  return undefined;
}
