// Finds out whether the sandbox of a profile runs, and where its data is.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { stateFolder } from '../../config/folders.ts';
import { findProfile, type Profile } from '../../config/store.ts';
import { SvcError } from '../../core/errors.ts';
import type { Seed } from '../../environment/sandbox-state.ts';
import { makeFolder } from '../../platform/files/folder.ts';
import {
  connectControl,
  controlPath,
  ifRunning,
  isSandboxStatus,
} from '../../sandbox/control/client.ts';
import type { Mode } from '../../service/mode.ts';
import type { SandboxVersion } from '../../service/versions.ts';
import { requestedBehavior } from './open-server.ts';
import type { StartOptions } from './start-options.ts';

export interface RunningSandbox {
  profile: Profile;
  key: string;
  pid: number | null;
  /** The data folder, or `memory`. */
  storage: string;
  /** Identifies the seed that the sandbox was started with. */
  seed: string | undefined;
  mode: Mode;
  service: SandboxVersion;
  /** The address of the page, if it has one. */
  page: string | null;
}

/** The options of `svc sandbox start`, with the content of its files. */
export interface StartRequest {
  options: StartOptions;
  /** The content of --seed. */
  seed: Seed | undefined;
  /** Path of the data folder given with --data. */
  dataPath: string | undefined;
  /** The key given with --key-file or SVC_SANDBOX_KEY. */
  key: string | undefined;
}

/** How a running sandbox differs from the requested one; undefined if it can be used instead. */
export async function findDifference(
  context: Context,
  running: RunningSandbox,
  { options, seed, dataPath, key }: StartRequest,
): Promise<string | undefined> {
  const { seedFingerprint } = await context.sandbox();
  if (seed && running.seed !== seedFingerprint(seed.state))
    return `a seed other than ${options.seed}`;
  if (key !== undefined && running.key !== key) return 'another key';
  if (dataPath !== undefined && running.storage !== dataPath)
    return `different data (${running.storage})`;
  const { mode, service } = requestedBehavior(context, options, seed?.state);
  if (mode !== undefined && mode !== running.mode) return `a mode other than --compat ${mode}`;
  if (service !== undefined && service !== running.service)
    return `a version other than --service ${service}`;
  return undefined;
}

/** The data folder of a profile's sandbox. */
export const dataFolder = ({ host }: Context, name: string): string =>
  path.join(stateFolder(host), 'sandbox', name);

/** Returns undefined if the sandbox does not run. If the profile has no key, reads it from the data folder. */
export async function findRunningSandbox(
  context: Context,
  name: string,
  directory: string,
): Promise<RunningSandbox | undefined> {
  const profile = findProfile(context.configuration.read(), name);
  if (!profile?.sandbox) return undefined;
  const key = profile.key ?? readKeyFile(directory);
  if (key === undefined) return undefined;
  const client = await context.connection.clientFor(profile.baseUrl, key, { retries: 0 });
  const status: unknown = await ifRunning(connectControl(client).status()).catch(
    (error: unknown) => {
      // Another program uses the address now.
      if (error instanceof SvcError) return undefined;
      throw error;
    },
  );
  if (!isSandboxStatus(status)) return undefined;
  return {
    profile,
    key,
    pid: typeof status.pid === 'number' ? status.pid : null,
    storage: String(status.storage),
    seed: typeof status.seed === 'string' ? status.seed : undefined,
    // Earlier versions said null for the mode of the specification.
    mode: status.compat === 'novu' ? 'novu' : 'specification',
    service: status.service ?? '3.11',
    page: typeof status.page === 'string' ? status.page : null,
  };
}

/** Whether a sandbox listens at the address. Its key is unknown, so only a header of the error shows it. */
export async function isForeignSandbox(context: Context, baseUrl: string): Promise<boolean> {
  const client = await context.connection.clientFor(baseUrl, 'unknown', { retries: 0 });
  // Another program may never respond.
  const { signal, clear } = context.host.clock.deadline(1_000);
  const error = await client
    .send({ method: 'GET', target: `${controlPath}/status`, signal })
    .catch((reason: unknown) => reason);
  clear();
  const outcome = error instanceof SvcError ? error.details.outcome : undefined;
  return outcome !== undefined && 'headers' in outcome && 'svc-sandbox' in outcome.headers;
}

/** The mark of a running sandbox in memory that has no profile: it was started with this state folder. */
const startMark = ({ host }: Context, key: string): string =>
  path.join(stateFolder(host), 'sandboxes', createHash('sha256').update(key).digest('hex'));

/** Marks a sandbox as started here. Returns a function that removes the mark. */
export function markStarted(context: Context, key: string): () => void {
  const mark = startMark(context, key);
  try {
    makeFolder(mark);
  } catch {
    // Without the mark, `svc sandbox stop` asks.
  }
  return () => rmSync(mark, { recursive: true, force: true });
}

export const wasStartedHere = (context: Context, key: string): boolean =>
  existsSync(startMark(context, key));

/** Returns the key stored in a data folder. */
function readKeyFile(directory: string): string | undefined {
  try {
    return readFileSync(path.join(directory, 'key'), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
