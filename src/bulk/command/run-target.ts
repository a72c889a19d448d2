// The identity of a new run: its id, and the active service and environment.
import type { Context } from '../../app/context.ts';
import type { RunIdentity } from '../journal/run-identity.ts';

/** Returns the identity of a run. A run that only validates rows has no service and no key. */
export async function createRunIdentity(
  context: Context,
  runId: string,
  isSent: boolean,
): Promise<RunIdentity> {
  if (!isSent) {
    const profile = context.profile()?.value ?? null;
    return { profile, service: '', keyMark: null, environmentId: null };
  }
  const { hashKeyForRun, hashServiceUrl } = await import('../journal/run-identity.ts');
  const { baseUrl, keyFrom } = context.target();
  const keyProfile = keyFrom.kind === 'profile' ? keyFrom : undefined;
  return {
    profile: keyProfile?.name ?? null,
    service: hashServiceUrl(baseUrl.value),
    keyMark: hashKeyForRun(runId, await context.apiKey()),
    environmentId: keyProfile?.profile.environmentId ?? null,
  };
}

/** Returns an id that starts with the time, so that ids sort by age. */
export function createRunId({ host }: Context): string {
  const time = new Date(host.clock.now())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${time}-${host.newId().slice(-6)}`;
}
