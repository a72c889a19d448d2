// Whether every write to a new profile must be confirmed by the profile's name.

import type { Context } from '../../app/context.ts';
import type { Profile } from '../../config/store.ts';

interface EnvironmentFacts {
  name: string;
  type?: string | null | undefined;
}

/**
 * The choice to store. Undefined leaves an earlier choice and the default, by which only an environment named
 * Production is protected; for other production environments a person is asked.
 */
export async function protectionChoice(
  { canAsk, prompter, configuration, note, profiles }: Context,
  profile: string,
  environment: EnvironmentFacts | undefined,
): Promise<boolean | undefined> {
  const stored = storedProfile(configuration.read().profiles, profile)?.protected;
  if (stored !== undefined || environment === undefined) return undefined;
  if ((await profiles()).isProtected({ environment: environment.name })) {
    note(
      `Profile ${profile} is protected: every write needs --confirm ${profile}. To switch that off: svc login --profile ${profile} --no-protect`,
    );
    return undefined;
  }
  if (environment.type !== 'prod' || !canAsk) return undefined;
  return prompter().confirm(
    `${environment.name} is a production environment. Protect profile ${profile}, so that every write needs its name?`,
  );
}

const storedProfile = (profiles: Record<string, Profile>, name: string) =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;
