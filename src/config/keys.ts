// API keys: validates them, and reads and writes them in the system's keychain.
import { errorMessage, localError, SvcError, usageError } from '../core/errors.ts';
import type { Profile } from './store.ts';

/** Some servers encrypt the key of a new environment. */
export const isEncryptedKey = (key: string): boolean => key.startsWith('nvsk.');

/** Trims and validates a key. The error does not repeat the key. */
export function readKey(text: string, source: string): string {
  const key = text.trim();
  if (key === '') throw new SvcError('auth', `${source} does not contain an API key: it is empty.`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw usageError(
      `${source} does not contain a valid API key: it has whitespace, line breaks or non-ASCII characters.`,
    );
  }
  if (isEncryptedKey(key)) {
    throw usageError(`${source} contains an encrypted key, which the service does not accept.`, {
      hint: 'Use the key from the list of environments.',
      next: ['svc environments list --reveal'],
    });
  }
  return key;
}

/** Reads the key of a profile from the configuration file or the keychain. */
export async function profileKey(name: string, profile: Profile): Promise<string | undefined> {
  if (profile.keySource !== 'keychain') return profile.key;
  try {
    return (await keychainEntry(name)).getPassword() ?? undefined;
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw localError(`Cannot read the key of profile ${name} from the keychain: ${String(error)}`, {
      next: [`svc login --profile ${name}`],
    });
  }
}

/** Stores a key in the keychain. Returns a local error if the keychain is not available. */
export async function storeInKeychain(name: string, key: string): Promise<SvcError | undefined> {
  try {
    const entry = await keychainEntry(name);
    entry.setPassword(key);
    if (entry.getPassword() === key) return undefined;
    return keychainUnavailable(name, 'it did not keep the key');
  } catch (error) {
    return error instanceof SvcError ? error : keychainUnavailable(name, errorMessage(error));
  }
}

const keychainUnavailable = (name: string, reason: string) =>
  localError(
    `The key of profile ${name} was not stored: the system keychain is not available (${reason}).`,
    {
      hint: 'Start the keychain of this system, or store the key in the configuration file.',
      next: ['svc login --keychain=optional'],
    },
  );

/** Removes a key from the keychain. Does nothing if it does not exist. */
export async function removeFromKeychain(name: string): Promise<void> {
  try {
    (await keychainEntry(name)).deletePassword();
  } catch {
    // The key does not exist, or the keychain is not available.
  }
}

async function keychainEntry(name: string) {
  const { Entry } = await import('@napi-rs/keyring').catch(() => {
    throw localError(
      'The system keychain cannot be used: the package @napi-rs/keyring is not installed.',
      { next: ['npm install --global @napi-rs/keyring'] },
    );
  });
  // Without this option, the key would go to the keyring of the Linux kernel, which a restart empties.
  return new Entry('svc-cli', name, { linux: { store: 'secret-service' } });
}
