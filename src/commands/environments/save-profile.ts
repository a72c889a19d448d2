// Saves profiles with the API keys of environments. Never overwrites a profile of another service or environment.

import type { Context } from '../../app/context.ts';
import { environmentFacts } from '../../config/environment-facts.ts';
import { isEncryptedKey } from '../../config/keys.ts';
import { openProfiles } from '../../config/profiles.ts';
import { isSandboxTarget } from '../../config/target.ts';
import { usageError } from '../../core/errors.ts';
import { listText, shellWord } from '../../core/text.ts';
import { listedEnvironments } from '../../environment/environments.ts';
import type { Environment } from '../../service/schemas/environments.ts';
import { saveProtected } from '../shared/save-profile.ts';

/** Returns functions that check a profile name and save a profile. */
export async function profileSaver(context: Context) {
  const profiles = openProfiles(context.configuration);
  const current = context.connection.target();
  const target = {
    baseUrl: current.baseUrl.value,
    ...(isSandboxTarget(current) ? { sandbox: true } : {}),
  };
  return {
    /** Throws if the profile exists: it cannot belong to an environment that is not created yet. */
    checkNew: (profile: string, environment: string) =>
      profiles.checkNew(profile, { ...target, environment }),
    /** Throws if the profile exists and belongs to another environment. */
    checkSame: (profile: string, environment: Environment) =>
      profiles.checkSame(profile, { ...target, ...profileFields(environment) }),
    async store(profile: string, environment: Environment) {
      const { name } = environment;
      const key = usableKey(environment);
      if (key === undefined) {
        throw usageError(`The service did not return a usable key for environment ${name}.`, {
          hint: copyKeyHint,
          next: [`svc login --profile ${shellWord(profile)}`],
        });
      }
      const checkedKey = profiles.readKey(key, `Environment ${name}`);
      await saveProtected(context, profile, { ...target, key: checkedKey }, environment);
      context.note(`Saved profile ${profile} for environment ${name}.`);
    },
  };
}

/** The first key that is not encrypted. Some servers encrypt the key in the response to a create request. */
const usableKey = ({ apiKeys = [] }: Environment): string | undefined =>
  apiKeys.find(({ key }) => key !== '' && !isEncryptedKey(key))?.key;

/** Returns the environment with a usable key: from the create response or the list of environments. */
export async function withUsableKey(context: Context, created: Environment): Promise<Environment> {
  if (usableKey(created) !== undefined) return created;
  const listed = await context.call('listEnvironments', {});
  // The environment exists by now, so an unexpected response must not become an error.
  if (!Array.isArray(listed)) return created;
  return listed.find(({ _id }) => _id === created._id) ?? created;
}

export const copyKeyHint = 'Copy the key from the dashboard of the service, and log in with it.';

/** Whether the service shows only the keys of the environment that the request belongs to, as servers do since 3.17. */
const hidesOtherKeys = (environments: readonly Environment[]) =>
  environments.length > 1 &&
  environments.filter(({ apiKeys = [] }) => apiKeys.length > 0).length === 1;

/** Throws before an environment is created whose key could not be read afterwards. */
export async function refuseHiddenKeys(context: Context, name: string, profile: string) {
  if (!hidesOtherKeys(await listedEnvironments(context))) return;
  throw usageError(
    `--save-profile cannot read the key of ${name}: this service shows a key only its own environment's keys. Nothing was created.`,
    {
      hint: `Create the environment without --save-profile. ${copyKeyHint}`,
      next: [`svc login --profile ${shellWord(profile)}`],
    },
  );
}

const profileFields = (environment: Environment) => {
  const key = usableKey(environment);
  return { ...environmentFacts(environment), ...(key === undefined ? {} : { key }) };
};

/** Saves one profile per environment with a usable key. Checks all names before it saves the first profile. */
export async function saveProfiles(context: Context, environments: readonly Environment[]) {
  if (context.globals.dryRun !== undefined) {
    throw usageError(
      '--save-profiles cannot be combined with --dry-run: profiles are not saved in a dry run.',
    );
  }
  const saver = await profileSaver(context);
  const byProfile = new Map<string, Environment>();
  for (const environment of environments) {
    const profile = profileName(environment);
    const other = byProfile.get(profile);
    if (other) {
      throw usageError(
        `Environments ${other.name} and ${environment.name} have the same profile name, \`${profile}\`.`,
        { hint: 'Save each key under a different name.', next: ['svc login --profile <name>'] },
      );
    }
    saver.checkSame(profile, environment);
    byProfile.set(profile, environment);
  }
  const withoutKey: string[] = [];
  for (const [profile, environment] of byProfile) {
    if (usableKey(environment) === undefined) withoutKey.push(profile);
    else await saver.store(profile, environment);
  }
  if (withoutKey.length === 0) return;
  const names = withoutKey.map((profile) => byProfile.get(profile)?.name ?? profile);
  const isOne = withoutKey.length === 1;
  context.note(
    `The service did not return a usable key for environment${isOne ? '' : 's'} ${listText(names)}, so profile${isOne ? '' : 's'} ${listText(withoutKey)} ${isOne ? 'was' : 'were'} not saved. ${hidesOtherKeys(environments) ? 'It shows only the keys of the environment of the active key. ' : ''}${copyKeyHint}`,
  );
}

const profileName = ({ name, identifier }: Environment) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '') || identifier;
