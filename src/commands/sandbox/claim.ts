// Reserves the profile of a new sandbox. A lock is held until the sandbox stops, so that two sandboxes never share
// a profile.
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { configFolder } from '../../config/folders.ts';
import { openProfiles } from '../../config/profiles.ts';
import { findProfile } from '../../config/store.ts';
import { errorMessage, localError, usageError } from '../../core/errors.ts';
import { makeFolder } from '../../platform/files/folder.ts';
import {
  dataFolder,
  findDifference,
  findRunningSandbox,
  type RunningSandbox,
  type StartRequest,
} from './running.ts';
import { reuseCommand, startAnotherCommand } from './start-options.ts';

export interface Claim {
  name: string;
  release(): void;
}

export interface ReusedSandbox {
  name: string;
  running: RunningSandbox;
}

/** Reserves the requested profile. Without a request, the first of `sandbox`, `sandbox-2`, … whose sandbox does not run. */
export async function claimProfile(
  context: Context,
  request: StartRequest,
): Promise<Claim | ReusedSandbox> {
  const { profileName, reuse } = request.options;
  if (profileName !== undefined || reuse)
    return claimNamed(context, profileName ?? 'sandbox', request);
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? 'sandbox' : `sandbox-${number}`;
    if (number === 1) refuseNonSandboxProfile(context, next);
    if (isNonSandboxProfile(context, next)) continue;
    const state = await claimOrWait(context, next, dataFolder(context, next));
    if ('release' in state) return state;
  }
}

async function claimNamed(context: Context, name: string, request: StartRequest) {
  const { options, dataPath } = request;
  openProfiles(context.configuration).checkName(name);
  refuseNonSandboxProfile(context, name);
  const state = await claimOrWait(context, name, dataPath ?? dataFolder(context, name));
  if ('release' in state) return state;
  if ('running' in state && options.reuse) return state;
  if ('running' in state) {
    const { baseUrl } = state.running.profile;
    const isUsable = (await findDifference(context, state.running, request)) === undefined;
    throw localError(`The sandbox of profile ${name} is already running at ${baseUrl}.`, {
      hint: `${isUsable ? 'Use that sandbox with --reuse, stop it,' : 'Stop that sandbox,'} or start another one with its own profile on a free port (--port 0).`,
      next: [
        ...(isUsable ? [reuseCommand(options, name)] : []),
        `svc sandbox stop --profile ${name}`,
        startAnotherCommand(request, { name, ...state.running }),
      ],
    });
  }
  throw localError(`Process ${state.pid} has reserved profile ${name} for a sandbox.`, {
    hint: 'If it is a sandbox whose key you removed, log in with the key that it printed. Otherwise stop that process, or use another --profile-name.',
    next: [`svc login --profile ${name}`],
  });
}

/** Longer than a sandbox takes to start, or to finish its open requests. */
const claimTimeoutMs = 6_000;

/** Reserves a profile. If it is reserved by a sandbox that is starting or stopping, waits for that to finish. */
async function claimOrWait(
  context: Context,
  name: string,
  directory: string,
): Promise<Claim | ReusedSandbox | { pid: number }> {
  const { clock } = context.host;
  for (const startedAt = clock.ticks(); ; await clock.sleep(50)) {
    const running = await findRunningSandbox(context, name, directory);
    if (running) return { name, running };
    const lock = await lockName(context, name);
    if (lock.release) return { name, release: lock.release };
    if (lock.onOtherHost || clock.ticks() - startedAt > claimTimeoutMs)
      return { pid: lock.holder.pid };
  }
}

async function lockName({ host, sandbox }: Context, name: string) {
  const { takeLock } = await sandbox();
  const folder = path.join(configFolder(host), 'sandboxes');
  try {
    makeFolder(folder);
    return takeLock(path.join(folder, name), host);
  } catch (cause) {
    const reason = errorMessage(cause);
    throw localError(`Cannot reserve profile ${name} in ${folder}: ${reason}`, {
      hint: 'Set SVC_CONFIG_DIR to a writable folder, or use --no-profile.',
      cause,
    });
  }
}

/** Whether a profile of that name exists that is not for a sandbox. */
const isNonSandboxProfile = (context: Context, name: string) => {
  const profile = findProfile(context.configuration.read(), name);
  return profile !== undefined && !profile.sandbox;
};

/** Throws a usage error rather than overwrite a profile that is not for a sandbox. */
function refuseNonSandboxProfile(context: Context, name: string): void {
  if (!isNonSandboxProfile(context, name)) return;
  const address = findProfile(context.configuration.read(), name)?.baseUrl;
  throw usageError(`Profile \`${name}\` is for ${address}, which is not a sandbox.`, {
    hint: 'Choose another profile for the sandbox with --profile-name.',
  });
}
