// Profiles from the keys that environments come with. A profile of another service or environment stays as it is.
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context } from '../../context.ts';
import { usageError } from '../../errors.ts';
import { offerProtection } from '../offer-protection.ts';

/** Checks names before anything happens, and stores afterwards. */
export async function profileSaver(context: Context) {
  const profiles = await context.profiles();
  const baseUrl = context.target().baseUrl.value;
  return {
    check: (profile: string, environment: string) =>
      profiles.checkFree(profile, { baseUrl, environment }),
    async store(profile: string, { _id: environmentId, name, type, apiKeys = [] }: Environment) {
      const key = apiKeys[0]?.key;
      if (key === undefined) throw usageError(`Environment ${name} came without a key.`);
      const protect = await offerProtection(context, profile, type);
      await profiles.save(profile, {
        baseUrl,
        key: profiles.readKey(key, `Environment ${name}`),
        environment: name,
        environmentId,
        ...(protect ? { protected: true } : {}),
        ...(context.profile()?.profile.sandbox ? { sandbox: true } : {}),
      });
      context.note(`Profile ${profile} is for environment ${name}.`);
    },
  };
}

/** One profile for each environment, named after it; all names are checked before the first is stored. */
export async function saveAll(context: Context, environments: readonly Environment[]) {
  if (context.globals.dryRun !== undefined) {
    throw usageError('--save-profiles: a dry run stores no profile.');
  }
  const save = await profileSaver(context);
  const named = environments.map((environment) => ({ environment, profile: nameOf(environment) }));
  for (const { environment, profile } of named) save.check(profile, environment.name);
  for (const { environment, profile } of named) await save.store(profile, environment);
}

const nameOf = ({ name, identifier }: Environment) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || identifier;
