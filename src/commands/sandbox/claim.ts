// The profile of a new sandbox. It is reserved under a lock until the sandbox ends, so that two sandboxes never
// share one.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { localError, usageError } from '../../core/errors.ts';
import { profileNameOption } from './connect.ts';
import { dataFolder, findRunningSandbox, type RunningSandbox, storedProfile } from './running.ts';

export interface Claim {
  name: string;
  free(): void;
}

export interface ReusedSandbox {
  name: string;
  running: RunningSandbox;
}

export interface ClaimOptions {
  /** The profile that was named. */
  name?: string | undefined;
  /** A sandbox that runs is as good. */
  reuse: boolean;
  /** The data folder that was named. */
  data?: string | undefined;
}

/** The named profile, or the first of `sandbox`, `sandbox-2`, … whose sandbox does not run. */
export async function claimProfile(
  context: Context,
  wanted: ClaimOptions,
): Promise<Claim | ReusedSandbox> {
  const { name, reuse } = wanted;
  if (name !== undefined || reuse) return claimNamed(context, name ?? 'sandbox', wanted);
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? 'sandbox' : `sandbox-${number}`;
    if (number === 1) refuseNonSandboxProfile(context, next);
    if (isNonSandboxProfile(context, next)) continue;
    const state = await claimOrWait(context, next, dataFolder(context, next));
    if ('free' in state) return state;
  }
}

async function claimNamed(context: Context, name: string, { reuse, data }: ClaimOptions) {
  (await context.profiles()).checkName(name);
  refuseNonSandboxProfile(context, name);
  const state = await claimOrWait(context, name, data ?? dataFolder(context, name));
  if ('free' in state) return state;
  if ('running' in state && reuse) return state;
  if ('running' in state) {
    const { baseUrl } = state.running.profile;
    throw localError(`The sandbox of profile ${name} already runs at ${baseUrl}.`, {
      hint: 'Use it with --reuse, stop it, or start another one with another --profile-name.',
      next: [
        `svc sandbox start --reuse${profileNameOption(name)}`,
        `svc sandbox stop --profile ${name}`,
      ],
    });
  }
  throw localError(`Process ${state.pid} has reserved profile ${name} for a sandbox.`, {
    hint: 'End that process, or use another --profile-name.',
  });
}

/** Longer than a sandbox takes to start, or to finish its last requests. */
const claimTimeoutMs = 6_000;

/** A profile that is reserved belongs to a sandbox that runs, or that starts or stops, which does not take long. */
async function claimOrWait(
  context: Context,
  name: string,
  directory: string,
): Promise<Claim | ReusedSandbox | { pid: number }> {
  const { clock } = context.host;
  for (const began = clock.ticks(); ; await clock.sleep(50)) {
    const running = await findRunningSandbox(context, name, directory);
    if (running) return { name, running };
    const lock = await lockName(context, name);
    if (lock.free) return { name, free: lock.free };
    if (lock.elsewhere || clock.ticks() - began > claimTimeoutMs) return { pid: lock.holder.pid };
  }
}

async function lockName({ folders, host, sandbox }: Context, name: string) {
  const { takeLock } = await sandbox();
  const folder = path.join(folders.config, 'sandboxes');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return takeLock(path.join(folder, name), host);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw localError(`Profile ${name} cannot be reserved in ${folder}: ${why}`, {
      hint: 'Set SVC_CONFIG_DIR to a folder that you may write to, or use --no-profile.',
      cause,
    });
  }
}

/** A profile of that name that was not made for a sandbox. */
const isNonSandboxProfile = (context: Context, name: string) => {
  const profile = storedProfile(context, name);
  return profile !== undefined && !profile.sandbox;
};

/** Such a profile is never overwritten. */
function refuseNonSandboxProfile(context: Context, name: string): void {
  if (!isNonSandboxProfile(context, name)) return;
  const address = storedProfile(context, name)?.baseUrl;
  throw usageError(`Profile \`${name}\` is for ${address}, which is not a sandbox.`, {
    hint: 'Give the sandbox another profile with --profile-name.',
  });
}
