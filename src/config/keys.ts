// API keys: which text can be one, where it is kept, and where it may be sent.
import { localError, SvcError, usageError } from '../core/errors.ts';
import type { Profile } from './store.ts';

/** The key without its trailing line break. Anything no header can carry is refused, without echoing it. */
export function readKey(text: string, source: string): string {
  const key = text.trim();
  if (key === '') throw new SvcError('auth', `${source} holds no API key: it is empty.`);
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw usageError(
      `${source} holds no API key: it has blanks, line breaks or characters beyond ASCII.`,
    );
  }
  if (key.startsWith('nvsk.')) {
    throw usageError(`${source} holds an encrypted key, which the service does not accept.`, {
      hint: 'The listing has the usable one: `svc environments list --reveal`.',
    });
  }
  return key;
}

/** The key of a profile, from the file or the system's keychain. */
export async function profileKey(name: string, profile: Profile): Promise<string | undefined> {
  if (profile.keySource !== 'keychain') return profile.key;
  const entry = await keychainEntry(name);
  try {
    return entry.getPassword() ?? undefined;
  } catch (error) {
    throw localError(`The keychain did not give the key of profile ${name}: ${String(error)}`, {
      next: [`svc login --profile ${name}`],
    });
  }
}

/** Puts a key into the system's keychain; false where there is none to use. */
export async function storeInKeychain(name: string, key: string): Promise<boolean> {
  try {
    const entry = await keychainEntry(name);
    entry.setPassword(key);
    return entry.getPassword() === key;
  } catch {
    return false;
  }
}

/** Removes a key from the keychain; nothing happens when it is not there. */
export async function removeFromKeychain(name: string): Promise<void> {
  try {
    (await keychainEntry(name)).deletePassword();
  } catch {
    // A key that is not there is removed already.
  }
}

async function keychainEntry(name: string) {
  const { Entry } = await import('@napi-rs/keyring').catch(() => {
    throw localError(
      'The system keychain cannot be used: the package @napi-rs/keyring is not installed.',
      {
        next: ['npm install --global @napi-rs/keyring'],
      },
    );
  });
  return new Entry('svc-cli', name);
}
