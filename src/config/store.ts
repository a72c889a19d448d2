// The configuration file: profiles with their keys, and settings. It is read directly, for speed, and written with
// conf under a lock, with mode 0600. A folder that svc creates has mode 0700. The only user of conf.
import { chmodSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorMessage, localError, systemCode } from '../core/errors.ts';
import { isObject } from '../core/objects.ts';
import { makeFolder } from '../platform/files/folder.ts';
import type { LockWait } from '../platform/files/lock.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import type { Processes } from '../platform/process-identity.ts';

export interface Profile {
  baseUrl: string;
  /** The API key; absent if it is in the keychain. */
  key?: string;
  keySource: 'file' | 'keychain';
  environment?: string;
  /** The `_id` of the environment, which stays the same when a key is replaced. */
  environmentId?: string;
  /** `dev` or `prod`, from the service when the profile was stored. */
  environmentType?: string;
  /** The version of the server when it was last read; the server may be newer since. */
  serviceVersion?: string;
  /** The server lacked the newer routes of the inbox when it had this version; empty: an unknown one. */
  lacksNotifications?: string;
  /** The user's choice. If absent, the environment name decides (`isProtected`). */
  protected?: boolean;
  /** Commands that change data of the service are rejected. */
  readOnly?: boolean;
  /** Created by `svc sandbox start`, which may overwrite the profile. */
  sandbox?: boolean;
}

export interface Configuration {
  current?: string;
  profiles: Record<string, Profile>;
  settings: Record<string, string>;
}

export const findProfile = (
  { profiles }: Pick<Configuration, 'profiles'>,
  name: string,
): Profile | undefined => (Object.hasOwn(profiles, name) ? profiles[name] : undefined);

export interface ConfigStore {
  /** Absolute path of the file. */
  file: string;
  /** Reads the configuration; empty if the file does not exist. Throws a local error if it is invalid. */
  read(): Configuration;
  /** Changes the configuration under a lock and writes it atomically. */
  change<T>(edit: (configuration: Configuration) => T): Promise<T>;
  reset(): void;
}

const emptyConfiguration = (): Configuration => ({ profiles: {}, settings: {} });

/** Identifies the process that writes, and lets it wait for others. */
export type ConfigHost = Processes & Pick<LockWait, 'clock'>;

export function openConfigStore(folder: string, host: ConfigHost): ConfigStore {
  const file = join(folder, 'config.json');

  const read = (): Configuration => {
    let text: string;
    try {
      text = readRegularFile(file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return emptyConfiguration();
      throw localError(`Cannot read the configuration ${file}: ${errorMessage(error)}`, {
        hint: 'Make the file readable, or delete it.',
        next: ['svc config reset'],
      });
    }
    return parseConfiguration(text, file);
  };

  const change = async <T>(edit: (configuration: Configuration) => T): Promise<T> => {
    createFolder(folder);
    const release = await lock(folder, host);
    try {
      const configuration = read();
      const result = edit(configuration);
      await writeConfiguration(followLinks(file), configuration);
      return result;
    } finally {
      release();
    }
  };

  return { file, read, change, reset: () => removeConfiguration(file) };
}

/** The target of a symbolic link, even if it does not exist yet. Writing to the target keeps the link. */
function followLinks(file: string): string {
  let place = file;
  // The limit of Linux. A cycle fails when the file is opened.
  for (let links = 0; links < 40; links += 1) {
    try {
      place = resolve(dirname(place), readlinkSync(place));
    } catch {
      break;
    }
  }
  return place;
}

/** Temporary files of killed writers, which contain keys. */
function abandonedFiles(file: string): string[] {
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(`${basename(file)}.tmp-`))
      .map((name) => join(dirname(file), name));
  } catch {
    return [];
  }
}

function removeConfiguration(file: string): void {
  const place = followLinks(file);
  for (const entry of new Set([place, file, ...abandonedFiles(place)])) {
    try {
      rmSync(entry, { force: true });
    } catch (error) {
      throw localError(`Cannot remove the configuration ${entry}: ${errorMessage(error)}`, {
        hint: 'If it is a folder, move or delete it manually.',
      });
    }
  }
}

function parseConfiguration(text: string, file: string): Configuration {
  const broken = (why: string) =>
    localError(`The configuration ${file} is invalid: ${why}`, {
      hint: 'Fix the file, or delete it.',
      next: ['svc config reset'],
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(text.trim() === '' ? 'it is empty' : errorMessage(error));
  }
  if (!isObject(value)) throw broken('it is not a JSON object');
  const { current, profiles = {}, settings = {} } = value;
  if (!isObject(profiles) || !isObject(settings))
    throw broken('profiles and settings are not objects');
  for (const [name, profile] of Object.entries(profiles)) {
    if (!isObject(profile) || typeof profile.baseUrl !== 'string')
      throw broken(`profile ${name} has no baseUrl`);
  }
  return {
    ...(typeof current === 'string' ? { current } : {}),
    profiles: profiles as Record<string, Profile>,
    settings: settings as Record<string, string>,
  };
}

function createFolder(folder: string) {
  try {
    // A folder that svc did not create keeps its mode.
    if (makeFolder(folder)) chmodSync(folder, 0o700);
  } catch (error) {
    throw localError(`Cannot create the folder ${folder}: ${errorMessage(error)}`, {
      hint: 'Set SVC_CONFIG_DIR to a writable folder.',
    });
  }
}

/** Each change needs milliseconds. */
const patienceMs = 10_000;

async function lock(folder: string, host: ConfigHost): Promise<() => void> {
  const { waitForLock } = await import('../platform/files/lock.ts');
  const file = join(folder, 'config.json.lock');
  const { clock } = host;
  const taken = await waitForLock(file, host, { clock, pollMs: 10, patienceMs }).catch((error) => {
    throw localError(`Cannot lock the configuration in ${folder}: ${errorMessage(error)}`, {
      hint: 'Make the folder writable, or set SVC_CONFIG_DIR to another one.',
    });
  });
  if (taken.release) return taken.release;
  const { pid } = taken.holder;
  throw localError(`Process ${pid} is writing the configuration in ${folder}.`, {
    hint: 'Wait for it to finish, then try again.',
  });
}

async function writeConfiguration(file: string, configuration: Configuration) {
  const { default: Conf } = await import('conf');
  try {
    const conf = new Conf<Record<string, unknown>>({
      cwd: dirname(file),
      configName: basename(file),
      fileExtension: '',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { ...configuration };
    chmodSync(file, 0o600);
    // Safe, because this process holds the lock.
    for (const abandoned of abandonedFiles(file)) rmSync(abandoned, { force: true });
  } catch (error) {
    throw localError(`Cannot write the configuration ${file}: ${errorMessage(error)}`);
  }
}
