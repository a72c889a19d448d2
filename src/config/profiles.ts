// Changing profiles: saving without overwriting another service, renaming, removing, choosing.
import { usageError } from '../errors.ts';
import { normalizeBaseUrl } from './base-url.ts';
import { profileKey, readKey, removeFromKeychain, storeInKeychain } from './keys.ts';
import type { ConfigStore, Configuration, Profile } from './store.ts';

export interface NewProfile {
  baseUrl: string;
  key: string;
  keychain?: boolean;
  environment?: string;
  environmentId?: string;
  protected?: boolean;
  sandbox?: boolean;
}

/** The profile of that name, or an error that offers the nearest. */
function profileNamed({ profiles }: Configuration, name: string): Profile {
  const found = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (found) return found;
  throw usageError(`There is no profile \`${name}\`.`, {
    meant: { typed: name, among: Object.keys(profiles) },
    next: ['svc profiles list'],
  });
}

/** Names are words for the command line: no blanks, no slashes, not `__proto__`. */
function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `\`${name}\` cannot name a profile: letters, digits, dots, dashes and underscores, at most 64.`,
  );
}

/**
 * Stores a profile. It becomes current when there is no other. A profile of the same name for another
 * address or environment is refused, never overwritten.
 */
async function saveProfile(
  store: ConfigStore,
  name: string,
  { key, keychain, ...facts }: NewProfile,
): Promise<{ keySource: Profile['keySource']; current: boolean }> {
  checkProfileName(name);
  refuseOther(store.read(), name, facts);
  if (keychain && store.read().profiles[name]?.sandbox)
    throw usageError('The key of a sandbox stays in the configuration file, never in a keychain.', {
      hint: 'Leave out --keychain.',
    });
  const stored = keychain === true && (await storeInKeychain(name, key));
  return store.change((configuration) => {
    refuseOther(configuration, name, facts);
    const profile: Profile = { ...facts, keySource: stored ? 'keychain' : 'file' };
    if (!stored) profile.key = key;
    const before = configuration.profiles[name];
    if (before?.protected) profile.protected = true;
    if (before?.sandbox && before.baseUrl === facts.baseUrl) profile.sandbox = true;
    configuration.profiles[name] = profile;
    configuration.current ??= name;
    return { keySource: profile.keySource, current: configuration.current === name };
  });
}

function refuseOther({ profiles }: Configuration, name: string, facts: Omit<NewProfile, 'key'>) {
  const before = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (!before || (before.sandbox && facts.sandbox && before.environment === facts.environment))
    return;
  const other =
    before.baseUrl !== facts.baseUrl
      ? before.baseUrl
      : before.environment !== undefined &&
          facts.environment !== undefined &&
          before.environment !== facts.environment
        ? `environment ${before.environment}`
        : undefined;
  if (other === undefined) return;
  throw usageError(`Profile \`${name}\` exists already, for ${other}.`, {
    hint: 'Choose another name, or delete that profile first.',
    next: [`svc profiles delete ${name}`],
  });
}

/** Makes a profile the current one. */
const useProfile = (store: ConfigStore, name: string) =>
  store.change((configuration) => {
    const profile = profileNamed(configuration, name);
    configuration.current = name;
    return profile;
  });

/** Gives a profile another name; its key goes along. */
async function renameProfile(store: ConfigStore, from: string, to: string): Promise<void> {
  checkProfileName(to);
  const before = profileNamed(store.read(), from);
  const key = before.keySource === 'keychain' ? await profileKey(from, before) : undefined;
  await store.change((configuration) => {
    const profile = profileNamed(configuration, from);
    if (Object.hasOwn(configuration.profiles, to))
      throw usageError(`Profile \`${to}\` exists already.`);
    delete configuration.profiles[from];
    configuration.profiles[to] = profile;
    if (configuration.current === from) configuration.current = to;
  });
  if (key === undefined) return;
  await storeInKeychain(to, key);
  await removeFromKeychain(from);
}

/** Removes a profile with its key. */
async function deleteProfile(store: ConfigStore, name: string): Promise<Profile> {
  const profile = await store.change((configuration) => {
    const found = profileNamed(configuration, name);
    delete configuration.profiles[name];
    if (configuration.current === name) delete configuration.current;
    return found;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
  return profile;
}

/** Forgets the key of a profile and keeps the rest. */
async function forgetKey(store: ConfigStore, name: string): Promise<void> {
  const profile = await store.change((configuration) => {
    const found = profileNamed(configuration, name);
    const before = { ...found };
    delete found.key;
    found.keySource = 'file';
    return before;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
}

/** Everything that can be done with the profiles of a store. */
export const openProfiles = (store: ConfigStore) => ({
  named: (name: string) => profileNamed(store.read(), name),
  checkName: checkProfileName,
  /** Refuses a name that is taken by a profile of another address or environment. */
  checkFree: (name: string, facts: Omit<NewProfile, 'key'>) =>
    refuseOther(store.read(), checkProfileName(name), facts),
  save: (name: string, profile: NewProfile) => saveProfile(store, name, profile),
  use: (name: string) => useProfile(store, name),
  rename: (from: string, to: string) => renameProfile(store, from, to),
  delete: (name: string) => deleteProfile(store, name),
  forgetKey: (name: string) => forgetKey(store, name),
  /** Reads an address or a key as it was typed or piped in. */
  readBaseUrl: normalizeBaseUrl,
  readKey,
});

export type Profiles = ReturnType<typeof openProfiles>;
