// Whether the sandbox of a profile runs, and where its data is.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import type { Profile } from '../../config/store.ts';
import { SvcError } from '../../core/errors.ts';
import { callControlIfRunning } from '../../sandbox/control/client.ts';

export interface RunningSandbox {
  profile: Profile;
  key: string;
  pid: number | null;
  /** The folder of its data, or `memory`. */
  storage: string;
  /** What identifies the seed that it started with. */
  seed: string | undefined;
}

/** The stored profile of that name. */
export function storedProfile({ configuration }: Context, name: string): Profile | undefined {
  const { profiles } = configuration.read();
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined;
}

/** The folder of a profile's sandbox. Earlier versions kept the data of all in one folder, which `sandbox` still uses. */
export function dataFolder({ folders }: Context, name: string): string {
  const all = path.join(folders.state, 'sandbox');
  const own = path.join(all, name);
  const isOld = name === 'sandbox' && !existsSync(own) && existsSync(path.join(all, 'sandbox.db'));
  return isOld ? all : own;
}

/** Undefined when it does not run. A key that the profile lacks is looked up in the folder of the data. */
export async function findRunningSandbox(
  context: Context,
  name: string,
  directory: string,
): Promise<RunningSandbox | undefined> {
  const profile = storedProfile(context, name);
  if (!profile?.sandbox) return undefined;
  const key = profile.key ?? readKeyFile(directory);
  if (key === undefined) return undefined;
  const client = await context.clientFor(profile.baseUrl, key, { retries: 0 });
  const answer = await callControlIfRunning(client, 'GET', 'status').catch((error: unknown) => {
    // Another program has the address now.
    if (error instanceof SvcError) return undefined;
    throw error;
  });
  const status = (answer?.value ?? {}) as Record<string, unknown>;
  if (status.name !== 'svc-sandbox') return undefined;
  return {
    profile,
    key,
    pid: typeof status.pid === 'number' ? status.pid : null,
    storage: String(status.storage),
    seed: typeof status.seed === 'string' ? status.seed : undefined,
  };
}

/** The key that a data folder keeps. */
function readKeyFile(directory: string): string | undefined {
  try {
    return readFileSync(path.join(directory, 'key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
