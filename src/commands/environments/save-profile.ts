// Profiles from the keys that environments come with. A profile of another service or environment stays as it is.
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { protectionChoice } from '../offer-protection.ts';

/** Checks names before anything happens, and stores afterwards. */
export async function profileSaver(context: Context) {
  const profiles = await context.profiles();
  const { baseUrl, keyFrom } = context.target();
  const place = {
    baseUrl: baseUrl.value,
    ...(keyFrom.kind === 'profile' && keyFrom.profile.sandbox ? { sandbox: true } : {}),
  };
  return {
    /** For an environment that is yet to be created, which no stored profile can belong to. */
    check: (profile: string, environment: string) =>
      profiles.checkNew(profile, { ...place, environment }),
    checkKnown: (profile: string, environment: Environment) =>
      profiles.checkSame(profile, { ...place, ...factsOf(environment) }),
    async store(profile: string, environment: Environment) {
      const { name, apiKeys = [] } = environment;
      const key = apiKeys[0]?.key;
      if (key === undefined) throw usageError(`Environment ${name} came without a key.`);
      const protect = await protectionChoice(context, profile, environment);
      await profiles.save(profile, {
        ...place,
        ...factsOf(environment),
        key: profiles.readKey(key, `Environment ${name}`),
        ...(protect === undefined ? {} : { protected: protect }),
      });
      context.note(`Profile ${profile} is for environment ${name}.`);
    },
  };
}

const factsOf = ({ _id: environmentId, name, type, apiKeys = [] }: Environment) => ({
  environment: name,
  environmentId,
  ...(type ? { environmentType: type } : {}),
  ...(apiKeys[0] ? { key: apiKeys[0].key } : {}),
});

/** One profile for each environment, named after it; all names are checked before the first is stored. */
export async function saveAll(context: Context, environments: readonly Environment[]) {
  if (context.globals.dryRun !== undefined) {
    throw usageError('--save-profiles: a dry run stores no profile.');
  }
  const save = await profileSaver(context);
  const byProfile = new Map<string, Environment>();
  for (const environment of environments) {
    const profile = nameOf(environment);
    const other = byProfile.get(profile);
    if (other) {
      throw usageError(
        `Environments ${other.name} and ${environment.name} would both become profile \`${profile}\`.`,
        { hint: `Store each key under a name of its own with \`svc login --profile <name>\`.` },
      );
    }
    save.checkKnown(profile, environment);
    byProfile.set(profile, environment);
  }
  for (const [profile, environment] of byProfile) await save.store(profile, environment);
}

const nameOf = ({ name, identifier }: Environment) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || identifier;
