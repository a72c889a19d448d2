// The facts that a profile stores about its environment, and the protection that follows from them.
import type { Profile } from './store.ts';

/** An environment as the service lists it. */
export interface ListedEnvironment {
  _id: string;
  name: string;
  type?: string | null | undefined;
  apiKeys?: readonly { key: string }[] | undefined;
}

type ProfileFacts = Pick<Profile, 'environment' | 'environmentId' | 'environmentType'>;

/** The facts that a profile stores about an environment. */
export const environmentFacts = ({ _id, name, type }: Omit<ListedEnvironment, 'apiKeys'>) => ({
  environment: name,
  environmentId: _id,
  ...(type ? { environmentType: type } : {}),
});

/** The facts that a profile has about its environment. */
export const storedFacts = (profile: ProfileFacts | undefined): ProfileFacts => {
  const { environment, environmentId, environmentType } = profile ?? {};
  return {
    ...(environment === undefined ? {} : { environment }),
    ...(environmentId === undefined ? {} : { environmentId }),
    ...(environmentType === undefined ? {} : { environmentType }),
  };
};

/** 2 for an environment named Production, 1 for another one of type `prod`, 0 for all others. */
const productionLevel = ({ environment = '', environmentType }: ProfileFacts): 0 | 1 | 2 => {
  if (/^production$/i.test(environment.trim())) return 2;
  return environmentType === 'prod' ? 1 : 0;
};

/** Without a choice of the user, a profile is protected if its environment is named Production or of type `prod`. */
export const isProtected = (profile: ProfileFacts & Pick<Profile, 'protected'>): boolean =>
  profile.protected ?? productionLevel(profile) > 0;

/** Whether the environment is named Production, whatever its type. */
export const isNamedProduction = (profile: ProfileFacts): boolean => productionLevel(profile) === 2;

/** The environment that has this API key; undefined if the service does not show its key. */
export const environmentOfKey = <E extends Pick<ListedEnvironment, 'apiKeys'>>(
  environments: readonly E[],
  key: string,
): E | undefined =>
  environments.find(({ apiKeys }) => apiKeys?.some((apiKey) => apiKey.key === key));

/** Whether the profile is for this environment of its service. */
export function standsFor(profile: Profile, environment: ListedEnvironment): boolean {
  const { key, environmentId, environment: name } = profile;
  if (key !== undefined && environmentOfKey([environment], key)) return true;
  return environmentId === undefined
    ? name === environment.name
    : environmentId === environment._id;
}

/**
 * The profile with the facts of its environment as listed now. A profile that was protected stays so. The choice not to
 * protect it no longer counts if the environment has become a production environment since.
 */
export function withListedFacts<P extends ProfileFacts & Pick<Profile, 'protected'>>(
  profile: P,
  environment: Omit<ListedEnvironment, 'apiKeys'>,
): P {
  const after: P = { ...profile, ...environmentFacts(environment) };
  const isKnown = profile.environment !== undefined;
  if (isKnown && profile.protected === false && productionLevel(after) > productionLevel(profile))
    delete after.protected;
  if (isProtected(profile) && !isProtected(after)) after.protected = true;
  return after;
}
