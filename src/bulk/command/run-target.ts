// Whose a run would be that began now: the service and the environment that are chosen.
import type { Context } from '../../app/context.ts';
import type { RunIdentity } from '../journal/run-identity.ts';

/** The identity for a run of that id; one whose rows are only checked belongs nowhere. */
export async function identityFor(
  context: Context,
  runId: string,
  isSent: boolean,
): Promise<RunIdentity> {
  if (!isSent) {
    const profile = context.profile()?.value ?? null;
    return { profile, service: '', keyMark: null, environmentId: null };
  }
  const { markOfKey, serviceTag } = await import('../journal/run-identity.ts');
  const { baseUrl, keyFrom } = context.target();
  const own = keyFrom.kind === 'profile' ? keyFrom : undefined;
  return {
    profile: own?.name ?? null,
    service: serviceTag(baseUrl.value),
    keyMark: markOfKey(runId, await context.apiKey()),
    environmentId: own?.profile.environmentId ?? null,
  };
}

/** An id that begins with the time, so that ids sort by age; within a second `startedAt` decides. */
export function newRunId({ host }: Context): string {
  const time = new Date(host.clock.now())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${time}-${host.newId().slice(-6)}`;
}
