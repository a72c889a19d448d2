// Saves the profile of an environment, and decides whether it is protected: every write must be confirmed with its name.

import type { Context } from '../../app/context.ts';
import {
  environmentFacts,
  isNamedProduction,
  isProtected,
  type ListedEnvironment,
  withListedFacts,
} from '../../config/environment-facts.ts';
import { type NewProfile, openProfiles } from '../../config/profiles.ts';
import { findProfile } from '../../config/store.ts';

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
