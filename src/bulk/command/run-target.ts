// The target of a run, which is the active service and environment, and the id of a new run.
import type { Context } from '../../app/context.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { LoadedRun, RunStore } from '../journal/run-store.ts';
import type { RunTarget } from '../journal/run-target.ts';

/** Returns the target of a run. A run that only validates rows has no service and no key. */
export async function createRunTarget(
  context: Context,
  runId: string,
  isSent: boolean,
): Promise<RunTarget> {
  if (!isSent)
    return { profile: findProfile(context), service: '', keyMark: null, environmentId: null };
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

/** The profile of the service, which rows can be checked without; null if the service has none. */
function findProfile({ connection }: Context): string | null {
  try {
    const { keyFrom } = connection.target();
    return keyFrom.kind === 'profile' ? keyFrom.name : null;
  } catch (error) {
    if (error instanceof SvcError && error.exitReason === 'auth') return null;
    throw error;
  }
}

/** The run to resume: the one of --resume, or that of --run-id if it exists. */
export function findEarlierRun(
  store: RunStore,
  { resume, runId }: { resume?: string; runId?: string },
): LoadedRun | undefined {
  if (runId === undefined) return resume === undefined ? undefined : store.load(resume);
  if (resume !== undefined) throw usageError('--run-id cannot be combined with --resume.');
  if (runId === 'last' || !/^[A-Za-z0-9][\w-]{0,99}$/.test(runId)) {
    throw usageError(`--run-id: \`${runId}\` is not a valid run id.`, {
      hint: 'Use up to 100 letters, digits, _ and -, such as newsletter-2026-01-3.',
    });
  }
  return store.exists(runId) ? store.load(runId) : undefined;
}

/** Returns an id that starts with the time, so that ids sort by age. */
export function createRunId({ host }: Context): string {
  const time = new Date(host.clock.now())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${time}-${host.newId().slice(-6)}`;
}
