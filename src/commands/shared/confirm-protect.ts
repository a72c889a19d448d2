// Decides whether a new profile is protected: every write to it must be confirmed with its name.

import type { Context } from '../../app/context.ts';
import {
  environmentFacts,
  isNamedProduction,
  isProtected,
  type ListedEnvironment,
  withListedFacts,
} from '../../config/environment-facts.ts';
import { findProfile } from '../../config/store.ts';

/**
 * Returns the choice to store, or undefined to keep the earlier choice or the default. By default, profiles of
 * production environments are protected. If the environment is not named Production, asks on a terminal.
 */
export async function protectionChoice(
  { prompt, configuration, note }: Context,
  profile: string,
  environment: ListedEnvironment | undefined,
): Promise<boolean | undefined> {
  if (environment === undefined) return undefined;
  const facts = environmentFacts(environment);
  const stored = findProfile(configuration.read(), profile);
  const isChosen = stored && withListedFacts(stored, environment).protected !== undefined;
  if (isChosen || !isProtected(facts)) return undefined;
  if (!isNamedProduction(facts) && prompt.isPossible)
    return prompt.confirm(
      `${environment.name} is a production environment. Protect profile ${profile}, so that every write needs --confirm ${profile}?`,
    );
  note(
    `Profile ${profile} is protected: every write needs --confirm ${profile}. To remove the protection: svc profiles unprotect ${profile}`,
  );
  return undefined;
}
