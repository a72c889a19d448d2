// The configuration file: profiles with their keys, and settings. Read directly, which is fast; written
// through conf under a lock, with modes 0600 in a 0700 folder. The only file that knows conf.
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { localError, systemCode } from '../core/errors.ts';

export interface Profile {
  baseUrl: string;
  /** The API key; absent when it is in the keychain. */
  key?: string;
  keySource: 'file' | 'keychain';
  environment?: string;
  /** Its `_id`: stays when a key is replaced. */
  environmentId?: string;
  /** `dev` or `prod`, as the service said when the profile was stored. */
  environmentType?: string;
  /** A choice that was made; without one, the name of the environment decides (`isProtected`). */
  protected?: boolean;
  /** Made by `svc sandbox start`; such a profile may be rewritten by it. */
  sandbox?: boolean;
}

export interface Configuration {
  current?: string;
  profiles: Record<string, Profile>;
  settings: Record<string, string>;
}

export interface ConfigStore {
  /** Absolute path of the file. */
  file: string;
  /** What is stored; empty when there is no file. A broken file ends with local. */
  read(): Configuration;
  /** Changes what is stored, alone among processes, and writes it whole or not at all. */
  change<T>(edit: (configuration: Configuration) => T): Promise<T>;
  /** Removes the file. */
  reset(): void;
}

const emptyConfiguration = (): Configuration => ({ profiles: {}, settings: {} });

export function openConfigStore(folder: string): ConfigStore {
  const file = join(folder, 'config.json');

  const read = (): Configuration => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return emptyConfiguration();
      throw localError(`The configuration ${file} cannot be read: ${reason(error)}`, {
        hint: 'It must be a file that you may read; `svc config path` and `svc config reset` work all the same.',
        next: ['svc config reset'],
      });
    }
    return parseConfiguration(text, file);
  };

  const change = async <T>(edit: (configuration: Configuration) => T): Promise<T> => {
    createFolder(folder);
    const release = await lock(folder);
    try {
      const configuration = read();
      const answer = edit(configuration);
      await writeConfiguration(followLinks(file), configuration);
      return answer;
    } finally {
      await release();
    }
  };

  return { file, read, change, reset: () => removeConfiguration(file) };
}

/** Where a symbolic link leads to, also when nothing is there yet: it stays, and its target is written. */
function followLinks(file: string): string {
  let place = file;
  // As many as Linux follows; a circle is left to whoever opens it.
  for (let links = 0; links < 40; links += 1) {
    try {
      place = resolve(dirname(place), readlinkSync(place));
    } catch {
      break;
    }
  }
  return place;
}

/** What writers that were killed left beside the file: it has keys in it. */
function abandonedFiles(file: string): string[] {
  try {
    return readdirSync(dirname(file))
      .filter((name) => name.startsWith(`${basename(file)}.tmp-`))
      .map((name) => join(dirname(file), name));
  } catch {
    return [];
  }
}

/** Removes the file and the link that leads to it. */
function removeConfiguration(file: string): void {
  const place = followLinks(file);
  for (const one of new Set([place, file, ...abandonedFiles(place)])) {
    try {
      rmSync(one, { force: true });
    } catch (error) {
      throw localError(`The configuration ${one} cannot be removed: ${reason(error)}`, {
        hint: 'If it is a folder, move it away by hand.',
      });
    }
  }
}

function parseConfiguration(text: string, file: string): Configuration {
  const broken = (why: string) =>
    localError(`The configuration ${file} is not readable: ${why}`, {
      hint: 'Mend the file, or start over; `svc config path` and `svc config reset` work all the same.',
      next: ['svc config reset'],
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw broken(text.trim() === '' ? 'it is empty' : reason(error));
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
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
  } catch (error) {
    throw localError(`The folder ${folder} cannot be made: ${reason(error)}`, {
      hint: 'Set SVC_CONFIG_DIR to a folder that you may write to.',
    });
  }
}

/** Longer than a lock stays without its owner saying that it is still there. */
const retries = { retries: 800, factor: 1, minTimeout: 10, maxTimeout: 50, randomize: true };

async function lock(folder: string): Promise<() => Promise<void>> {
  const { default: lockfile } = await import('proper-lockfile');
  const place = join(folder, 'config.lock');
  const tried = () => lockfile.lock(folder, { lockfilePath: place, stale: 10_000, retries });
  const found = modifiedAt(place);
  try {
    return await tried().catch((error: unknown) => {
      // Dated ahead, as after the clock was set back, it never gets old; but its owner would have touched it.
      if (found === undefined || modifiedAt(place) !== found) throw error;
      rmdirSync(place);
      return tried();
    });
  } catch (error) {
    throw localError(`The configuration in ${folder} is in use: ${reason(error)}`, {
      hint: 'Wait for the other svc to finish, then try again.',
    });
  }
}

function modifiedAt(place: string): number | undefined {
  try {
    return statSync(place).mtimeMs;
  } catch {
    // Nobody has it.
  }
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
    // The lock is ours: nobody else is writing.
    for (const one of abandonedFiles(file)) rmSync(one, { force: true });
  } catch (error) {
    throw localError(`The configuration ${file} cannot be written: ${reason(error)}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const reason = (error: unknown) => (error instanceof Error ? error.message : String(error));
