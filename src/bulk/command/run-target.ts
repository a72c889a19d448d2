// The target of a run, which is the active service and environment, and the id of a new run.
import type { Context } from '../../app/context.ts';
import type { RunTarget } from '../journal/run-target.ts';

/** Returns the target of a run. A run that only validates rows has no service and no key. */
export async function createRunTarget(
  context: Context,
  runId: string,
  isSent: boolean,
): Promise<RunTarget> {
  if (!isSent) {
    const profile = context.profile()?.value ?? null;
    return { profile, service: '', keyMark: null, environmentId: null };
  }
  const { hashKeyForRun, hashServiceUrl } = await import('../journal/run-target.ts');
  const { baseUrl, keyFrom } = context.connection.target();
  const keyProfile = keyFrom.kind === 'profile' ? keyFrom : undefined;
  return {
    profile: keyProfile?.name ?? null,
    service: hashServiceUrl(baseUrl.value),
    keyMark: hashKeyForRun(runId, await context.connection.apiKey()),
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
