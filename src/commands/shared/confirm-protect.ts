// Decides whether a new profile is protected: every write to it must be confirmed with its name.

import type { Context } from '../../app/context.ts';
import { findProfile } from '../../config/store.ts';
import { isProtected } from '../../config/target.ts';

interface EnvironmentInfo {
  name: string;
  type?: string | null | undefined;
}

/**
 * Returns the choice to store, or undefined to keep the earlier choice or the default. By default only an environment
 * named Production is protected. For other production environments, asks on a terminal.
 */
export async function protectionChoice(
  { prompt, configuration, note }: Context,
  profile: string,
  environment: EnvironmentInfo | undefined,
): Promise<boolean | undefined> {
  const stored = findProfile(configuration.read(), profile)?.protected;
  if (stored !== undefined || environment === undefined) return undefined;
  if (isProtected({ environment: environment.name })) {
    note(
      `Profile ${profile} is protected: every write needs --confirm ${profile}. To remove the protection: svc login --profile ${profile} --no-protect`,
    );
    return undefined;
  }
  if (environment.type !== 'prod' || !prompt.isPossible) return undefined;
  return prompt.confirm(
    `${environment.name} is a production environment. Protect profile ${profile}, so that every write needs --confirm ${profile}?`,
  );
}
