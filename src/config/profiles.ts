// Saves, renames, deletes and selects profiles. A profile of another service is never overwritten.
import { usageError } from '../core/errors.ts';
import { normalizeBaseUrl } from './base-url.ts';
import { isProtected, storedFacts, withListedFacts } from './environment-facts.ts';
import { profileKey, readKey, removeFromKeychain, storeInKeychain } from './keys.ts';
import { type ConfigStore, type Configuration, findProfile, type Profile } from './store.ts';

export interface NewProfile extends Omit<Profile, 'key' | 'keySource'> {
  key: string;
  /** Store the key in the keychain; with `optional`, in the configuration file if it is not available. */
  keychain?: 'required' | 'optional' | undefined;
}

/** Returns the profile, or throws a usage error with similar names. */
function requireProfile(configuration: Configuration, name: string): Profile {
  const profile = findProfile(configuration, name);
  if (profile) return profile;
  throw usageError(`Unknown profile \`${name}\`.`, {
    suggestion: { input: name, candidates: Object.keys(configuration.profiles) },
    next: ['svc profiles list'],
  });
}

/** Throws a usage error unless the name is valid: no spaces, no slashes, not `__proto__`. */
function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `\`${name}\` is not a valid profile name: use at most 64 letters, digits, dots, dashes and underscores.`,
  );
}

/**
 * Stores a profile. The first one becomes the current profile. If the environment is not given, a stored profile keeps
 * its environment. Throws a usage error if a profile of the same name exists for another address or environment, and a
 * local error if the key cannot be stored in a keychain that is required.
 */
async function saveProfile(
  store: ConfigStore,
  name: string,
  { key, keychain, ...facts }: NewProfile,
): Promise<{ keySource: Profile['keySource']; current: boolean }> {
  checkProfileName(name);
  checkSameTarget(store.read(), name, facts);
  if (keychain && findProfile(store.read(), name)?.sandbox)
    throw usageError('The key of a sandbox is always stored in the configuration file.', {
      hint: 'Run the command again without --keychain.',
    });
  const keychainError = keychain && (await storeInKeychain(name, key));
  if (keychainError !== undefined && keychain === 'required') throw keychainError;
  const inKeychain = keychain !== undefined && keychainError === undefined;
  return store.change((configuration) => {
    checkSameTarget(configuration, name, facts);
    const before = findProfile(configuration, name);
    const environment = facts.environment === undefined ? storedFacts(before) : {};
    const profile: Profile = {
      ...facts,
      ...environment,
      keySource: inKeychain ? 'keychain' : 'file',
    };
    if (!inKeychain) profile.key = key;
    const protection = facts.protected ?? storedProtection(before, facts);
    if (protection !== undefined) profile.protected = protection;
    if (before?.readOnly) profile.readOnly = true;
    if (before?.sandbox && before.baseUrl === facts.baseUrl) profile.sandbox = true;
    configuration.profiles[name] = profile;
    configuration.current ??= name;
    return { keySource: profile.keySource, current: configuration.current === name };
  });
}

type ProfileFacts = Omit<NewProfile, 'key'>;

/** The earlier choice of protection, as it applies to the environment that the profile has now. */
function storedProtection(
  before: Profile | undefined,
  { environment: name, environmentId: _id, environmentType: type }: ProfileFacts,
): boolean | undefined {
  if (!before || name === undefined || _id === undefined) return before?.protected;
  return withListedFacts(before, { _id, name, type }).protected;
}

const checkSameTarget = (configuration: Configuration, name: string, facts: ProfileFacts) =>
  throwIfTaken(name, describeOtherTarget(configuration, name, facts));

function throwIfTaken(name: string, other: string | undefined): void {
  if (other === undefined) return;
  throw usageError(`Profile \`${name}\` already exists for ${other}.`, {
    hint: 'Choose another name, or delete that profile first.',
    next: [`svc profiles delete ${name}`],
  });
}

/** Describes the service or environment of the stored profile if it differs; otherwise undefined. */
function describeOtherTarget(
  configuration: Configuration,
  name: string,
  facts: ProfileFacts,
): string | undefined {
  const before = findProfile(configuration, name);
  if (!before || isSameSandbox(before, facts)) return undefined;
  if (before.baseUrl !== facts.baseUrl) return before.baseUrl;
  // Compares ids if possible, because a name can be reused for another environment.
  const differs = (field: 'environment' | 'environmentId') =>
    before[field] !== undefined && facts[field] !== undefined && before[field] !== facts[field];
  const hasIds = before.environmentId !== undefined && facts.environmentId !== undefined;
  if (!differs(hasIds ? 'environmentId' : 'environment')) return undefined;
  const isNamesake = before.environment === facts.environment;
  return `${isNamesake ? 'another environment named' : 'environment'} ${before.environment ?? before.environmentId}`;
}

/** A sandbox creates its environments with new ids, so its profiles are compared by environment name. */
const isSameSandbox = (before: Profile, facts: ProfileFacts) =>
  before.sandbox === true && facts.sandbox === true && before.environment === facts.environment;

/** Throws a usage error unless the stored profile, if any, is known to belong to the same environment. */
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

/** Throws a usage error if the name is in use. For new environments, which no stored profile can belong to. */
function checkNameUnused(configuration: Configuration, name: string, facts: ProfileFacts): void {
  const before = findProfile(configuration, name);
  if (!before || isSameSandbox(before, facts)) return;
  const { environment, baseUrl } = before;
  throwIfTaken(
    name,
    describeOtherTarget(configuration, name, facts) ??
      (environment === undefined ? baseUrl : `another environment named ${environment}`),
  );
}

const useProfile = (store: ConfigStore, name: string) =>
  store.change((configuration) => {
    const profile = requireProfile(configuration, name);
    configuration.current = name;
    return profile;
  });

/** Which writes a profile allows. */
export type WriteRule = Pick<Profile, 'protected' | 'readOnly'>;

const setWriteRule = (store: ConfigStore, name: string, rule: WriteRule) =>
  store.change((configuration) => Object.assign(requireProfile(configuration, name), rule));

async function renameProfile(store: ConfigStore, from: string, to: string): Promise<void> {
  checkProfileName(to);
  const before = requireProfile(store.read(), from);
  checkNotTaken(store.read(), to);
  const key = before.keySource === 'keychain' ? await profileKey(from, before) : undefined;
  const keychainError = key === undefined ? undefined : await storeInKeychain(to, key);
  if (keychainError !== undefined) throw keychainError;
  await store.change((configuration) => {
    const profile = requireProfile(configuration, from);
    checkNotTaken(configuration, to);
    delete configuration.profiles[from];
    configuration.profiles[to] = profile;
    if (configuration.current === from) configuration.current = to;
  });
  if (key !== undefined) await removeFromKeychain(from);
}

function checkNotTaken({ profiles }: Configuration, name: string): void {
  if (Object.hasOwn(profiles, name)) throw usageError(`Profile \`${name}\` already exists.`);
}

async function deleteProfile(store: ConfigStore, name: string): Promise<Profile> {
  const profile = await store.change((configuration) => {
    const deleted = requireProfile(configuration, name);
    delete configuration.profiles[name];
    if (configuration.current === name) delete configuration.current;
    return deleted;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
  return profile;
}

/** Deletes the key of a profile but keeps the profile. */
async function deleteKey(store: ConfigStore, name: string): Promise<void> {
  const profile = await store.change((configuration) => {
    const stored = requireProfile(configuration, name);
    const before = { ...stored };
    delete stored.key;
    stored.keySource = 'file';
    return before;
  });
  if (profile.keySource === 'keychain') await removeFromKeychain(name);
}

export const openProfiles = (store: ConfigStore) => ({
  named: (name: string) => requireProfile(store.read(), name),
  checkName: checkProfileName,
  /** Whether writes require the profile's name. */
  isProtected,
  /** Throws if the stored profile, if any, belongs to another address or environment. */
  checkTarget: (name: string, facts: ProfileFacts) =>
    checkSameTarget(store.read(), checkProfileName(name), facts),
  /** Throws unless the stored profile, if any, is known to belong to the same address and environment. */
  checkSame: (name: string, facts: ProfileFacts & { key?: string }) =>
    checkSameEnvironment(store.read(), checkProfileName(name), facts),
  /** Throws if the name is in use. For environments that do not exist yet. */
  checkNew: (name: string, facts: ProfileFacts) =>
    checkNameUnused(store.read(), checkProfileName(name), facts),
  save: (name: string, profile: NewProfile) => saveProfile(store, name, profile),
  use: (name: string) => useProfile(store, name),
  setWriteRule: (name: string, rule: WriteRule) => setWriteRule(store, name, rule),
  rename: (from: string, to: string) => renameProfile(store, from, to),
  delete: (name: string) => deleteProfile(store, name),
  forgetKey: (name: string) => deleteKey(store, name),
  /** Validate an address or a key from the user. */
  readBaseUrl: normalizeBaseUrl,
  readKey,
});

export type Profiles = ReturnType<typeof openProfiles>;
