// Changing profiles: saving without overwriting another service, renaming, removing, choosing.
import { usageError } from '../core/errors.ts';
import { normalizeBaseUrl } from './base-url.ts';
import { profileKey, readKey, removeFromKeychain, storeInKeychain } from './keys.ts';
import { isProtected } from './settings.ts';
import type { ConfigStore, Configuration, Profile } from './store.ts';

export interface NewProfile {
  baseUrl: string;
  key: string;
  keychain?: boolean;
  environment?: string;
  environmentId?: string;
  environmentType?: string;
  protected?: boolean;
  sandbox?: boolean;
}

/** The profile of that name, or an error that offers the nearest. */
function requireProfile(configuration: Configuration, name: string): Profile {
  const found = findProfile(configuration, name);
  if (found) return found;
  throw usageError(`There is no profile \`${name}\`.`, {
    suggestion: { input: name, candidates: Object.keys(configuration.profiles) },
    next: ['svc profiles list'],
  });
}

const findProfile = ({ profiles }: Configuration, name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

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
  checkSameTarget(store.read(), name, facts);
  if (keychain && findProfile(store.read(), name)?.sandbox)
    throw usageError('The key of a sandbox stays in the configuration file, never in a keychain.', {
      hint: 'Leave out --keychain.',
    });
  const inKeychain = keychain === true && (await storeInKeychain(name, key));
  return store.change((configuration) => {
    checkSameTarget(configuration, name, facts);
    const profile: Profile = { ...facts, keySource: inKeychain ? 'keychain' : 'file' };
    if (!inKeychain) profile.key = key;
    const before = findProfile(configuration, name);
    const protection = facts.protected ?? before?.protected;
    if (protection !== undefined) profile.protected = protection;
    if (before?.sandbox && before.baseUrl === facts.baseUrl) profile.sandbox = true;
    configuration.profiles[name] = profile;
    configuration.current ??= name;
    return { keySource: profile.keySource, current: configuration.current === name };
  });
}

type ProfileFacts = Omit<NewProfile, 'key'>;

const checkSameTarget = (configuration: Configuration, name: string, facts: ProfileFacts) =>
  throwIfTaken(name, describeOtherTarget(configuration, name, facts));

function throwIfTaken(name: string, other: string | undefined): void {
  if (other === undefined) return;
  throw usageError(`Profile \`${name}\` exists already, for ${other}.`, {
    hint: 'Choose another name, or delete that profile first.',
    next: [`svc profiles delete ${name}`],
  });
}

/** What a stored profile of that name is for, when that is another service or environment. */
function describeOtherTarget(
  configuration: Configuration,
  name: string,
  facts: ProfileFacts,
): string | undefined {
  const before = findProfile(configuration, name);
  if (!before || isSameSandbox(before, facts)) return undefined;
  if (before.baseUrl !== facts.baseUrl) return before.baseUrl;
  // A name can be given to another environment; an id cannot.
  const differs = (field: 'environment' | 'environmentId') =>
    before[field] !== undefined && facts[field] !== undefined && before[field] !== facts[field];
  const hasIds = before.environmentId !== undefined && facts.environmentId !== undefined;
  if (!differs(hasIds ? 'environmentId' : 'environment')) return undefined;
  const isNamesake = before.environment === facts.environment;
  return `${isNamesake ? 'another environment' : 'environment'} ${before.environment ?? before.environmentId}`;
}

/** A sandbox makes its environments anew: its profiles are known by their names. */
const isSameSandbox = (before: Profile, facts: ProfileFacts) =>
  before.sandbox === true && facts.sandbox === true && before.environment === facts.environment;

/** Refuses a name whose profile is not known to be of the same environment. */
function checkSameEnvironment(
  configuration: Configuration,
  name: string,
  facts: ProfileFacts & { key?: string },
): void {
  checkSameTarget(configuration, name, facts);
  const before = findProfile(configuration, name);
  if (!before || before.environment !== undefined || before.environmentId !== undefined) return;
  if (before.key !== undefined && before.key === facts.key) return;
  throwIfTaken(name, `an unknown environment of ${before.baseUrl}`);
}

/** Refuses every name that is taken: no stored profile can be of an environment that is yet to be created. */
function checkNameUnused(configuration: Configuration, name: string, facts: ProfileFacts): void {
  const before = findProfile(configuration, name);
  if (!before || isSameSandbox(before, facts)) return;
  const { environment, baseUrl } = before;
  throwIfTaken(
    name,
    describeOtherTarget(configuration, name, facts) ??
      (environment === undefined ? baseUrl : `another environment ${environment}`),
  );
}

/** Makes a profile the current one. */
const useProfile = (store: ConfigStore, name: string) =>
  store.change((configuration) => {
    const profile = requireProfile(configuration, name);
    configuration.current = name;
    return profile;
  });

/** Gives a profile another name; its key goes along. */
async function renameProfile(store: ConfigStore, from: string, to: string): Promise<void> {
  checkProfileName(to);
  const before = requireProfile(store.read(), from);
  const key = before.keySource === 'keychain' ? await profileKey(from, before) : undefined;
  await store.change((configuration) => {
    const profile = requireProfile(configuration, from);
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
    const found = requireProfile(configuration, name);
    delete configuration.profiles[name];
    if (configuration.current === name) delete configuration.current;
    return found;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
  return profile;
}

/** Forgets the key of a profile and keeps the rest. */
async function deleteKey(store: ConfigStore, name: string): Promise<void> {
  const profile = await store.change((configuration) => {
    const found = requireProfile(configuration, name);
    const before = { ...found };
    delete found.key;
    found.keySource = 'file';
    return before;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
}

/** Everything that can be done with the profiles of a store. */
export const openProfiles = (store: ConfigStore) => ({
  named: (name: string) => requireProfile(store.read(), name),
  checkName: checkProfileName,
  /** Whether every write needs the profile's name. */
  isProtected,
  /** Refuses a name whose profile is not known to be of the same address and environment. */
  checkSame: (name: string, facts: ProfileFacts & { key?: string }) =>
    checkSameEnvironment(store.read(), checkProfileName(name), facts),
  /** Refuses a name that is taken, for an environment that is yet to be created. */
  checkNew: (name: string, facts: ProfileFacts) =>
    checkNameUnused(store.read(), checkProfileName(name), facts),
  save: (name: string, profile: NewProfile) => saveProfile(store, name, profile),
  use: (name: string) => useProfile(store, name),
  rename: (from: string, to: string) => renameProfile(store, from, to),
  delete: (name: string) => deleteProfile(store, name),
  forgetKey: (name: string) => deleteKey(store, name),
  /** Reads an address or a key as it was typed or piped in. */
  readBaseUrl: normalizeBaseUrl,
  readKey,
});

export type Profiles = ReturnType<typeof openProfiles>;
