// The target of a run, which is the active service and environment, and the id of a new run.
import type { Context } from '../../app/context.ts';
import { environmentOfKey } from '../../config/environment-facts.ts';
import { SvcError, usageError } from '../../core/errors.ts';
import type { RunTarget } from '../journal/run-target.ts';

/** Returns the target of a run that sends its rows. Without a given environment, it has the environment of the profile. */
export async function createRunTarget(
  context: Context,
  runId: string,
  environmentId?: string,
): Promise<RunTarget> {
  const { hashKeyForRun, hashServiceUrl } = await import('../journal/run-target.ts');
  const { baseUrl, keyFrom } = context.connection.target();
  const keyProfile = keyFrom.type === 'profile' ? keyFrom : undefined;
  return {
    profile: keyProfile?.name ?? null,
    service: hashServiceUrl(baseUrl.value),
    keyMark: hashKeyForRun(runId, await context.connection.apiKey()),
    environmentId: environmentId ?? keyProfile?.profile.environmentId ?? null,
  };
}

/** The profile of the service, which rows can be checked without; null if the service has none. */
function findProfile({ connection }: Context): string | null {
  const { keyFrom } = connection.findTarget() ?? {};
  return keyFrom?.type === 'profile' ? keyFrom.name : null;
}

/** The target of a run that only validates rows: no service and no key. */
export const validationTarget = (context: Context): RunTarget => ({
  profile: findProfile(context),
  service: '',
  keyMark: null,
  environmentId: null,
});

interface RunIdOptions {
  resume?: string;
  runId?: string;
  environmentId?: string;
}

/** The run id of --resume or --run-id, if given. Throws a usage error if it is not a valid id for a new run. */
export function explicitRunId({ resume, runId, environmentId }: RunIdOptions): string | undefined {
  if (runId === undefined) {
    if (environmentId === undefined) return resume;
    throw usageError('--environment-id can only be used together with --run-id.');
  }
  if (resume !== undefined) throw usageError('--run-id cannot be combined with --resume.');
  if (runId !== 'last' && /^[A-Za-z0-9][\w-]{0,99}$/.test(runId)) return runId;
  throw usageError(`--run-id: \`${runId}\` is not a valid run id.`, {
    hint: 'Use up to 100 letters, digits, _ and -, such as newsletter-2026-01-3.',
  });
}

/**
 * The environment of a run with --run-id, because the same id in another environment is another run. Undefined without
 * --run-id: a generated id occurs only once.
 */
export async function environmentOfRun(
  context: Context,
  { runId, environmentId }: RunIdOptions,
): Promise<string | undefined> {
  if (environmentId !== undefined && environmentId.trim() === '')
    throw usageError('--environment-id is empty.', { hint: 'Pass the id of the environment.' });
  if (runId === undefined || environmentId !== undefined) return environmentId;
  const client = await context.client();
  const environments = await client.call('listEnvironments', {}).catch((error: unknown) => {
    if (isRefusal(error)) return [];
    throw error;
  });
  const own = environmentOfKey(environments, await context.connection.apiKey());
  if (own) return own._id;
  const problem =
    'With --run-id, svc needs the id of the environment, and the service does not show to which environment the API key belongs.';
  if (!context.prompt.isPossible)
    throw usageError(problem, { hint: 'Pass the id of the environment with --environment-id.' });
  context.note(problem);
  const entered = (await context.prompt.text('Id of the environment:')).trim();
  if (entered !== '') return entered;
  throw usageError('The id of the environment is empty. Nothing was sent.');
}

/** Whether the service does not list environments for this key. A wrong key or an outage is another error. */
const isRefusal = (error: unknown) =>
  error instanceof SvcError && [402, 403, 404, 405].includes(error.details.status ?? 0);

/** Returns an id that starts with the time, so that ids sort by age. */
export function createRunId({ host }: Context): string {
  const time = new Date(host.clock.now())
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `${time}-${host.newId().slice(-6)}`;
}
