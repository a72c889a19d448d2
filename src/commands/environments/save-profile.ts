// Profiles from the keys that environments come with. A profile of another service or environment stays as it is.
import type { Environment } from '../../api/schemas/environments.ts';
import type { Context } from '../../app/context.ts';
import { usageError } from '../../core/errors.ts';
import { protectionChoice } from '../shared/confirm-protect.ts';

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
      const { name } = environment;
      const key = usableKey(environment);
      if (key === undefined) {
        throw usageError(`${keylessText(name)}.`, {
          hint: keyHint,
          next: [`svc login --profile ${profile}`],
        });
      }
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

/** The first key that the service accepts. Some servers encrypt the key in their response to a creation. */
const usableKey = ({ apiKeys = [] }: Environment): string | undefined =>
  apiKeys.find(({ key }) => key !== '' && !key.startsWith(encrypted))?.key;

const encrypted = 'nvsk.';

/** The environment with a usable key: as it was created, else as the listing shows it. */
export async function withUsableKey(context: Context, created: Environment): Promise<Environment> {
  if (usableKey(created) !== undefined) return created;
  const client = await context.client();
  const listed = await client.call('listEnvironments', {});
  // The environment exists: a response of another shape must not hide that.
  if (!Array.isArray(listed)) return created;
  return listed.find(({ _id }) => _id === created._id) ?? created;
}

const keylessText = (name: string) => `The service shows no usable key of environment ${name}`;
const keyHint = 'Copy the key from the web interface of the service and log in with it.';

const factsOf = (environment: Environment) => {
  const { _id: environmentId, name, type } = environment;
  const key = usableKey(environment);
  return {
    environment: name,
    environmentId,
    ...(type ? { environmentType: type } : {}),
    ...(key === undefined ? {} : { key }),
  };
};

/** One profile for each environment with a usable key. All names are checked before the first profile is stored. */
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
  for (const [profile, environment] of byProfile) {
    if (usableKey(environment) !== undefined) await save.store(profile, environment);
    else
      context.note(
        `${keylessText(environment.name)}, so profile ${profile} was not stored. ${keyHint}`,
      );
  }
}

const nameOf = ({ name, identifier }: Environment) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || identifier;
