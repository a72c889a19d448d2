// Finds the run that `last` means: the newest run of the selected profile that the command can use.
import type { Context } from '../../app/context.ts';
import { SvcError } from '../../core/errors.ts';
import { uniqueId } from '../../core/suggestions.ts';
import type { RunStore, StoredRunDetails } from '../journal/run-store.ts';
import { hashServiceUrl, type RunTarget } from '../journal/run-target.ts';

/** Returns the id of a run, from its beginning or end. `last` is the newest one for which `fits` is true. Throws a notFound error if no run fits. */
export function resolveRunId(
  context: Context,
  store: RunStore,
  name: string,
  fits: (run: StoredRunDetails) => boolean = () => true,
): string {
  if (name !== 'last') {
    const short = name.replace(/^…/, '');
    if (store.exists(short)) return short;
    return (
      uniqueId(
        store.list().map(({ runId }) => runId),
        short,
        'runs',
      ) ?? name
    );
  }
  const { description, includes } = selectedService(context);
  const runs = store.list();
  const newest = runs.find((run) => includes(run.manifest) && fits(run));
  if (newest) return newest.runId;
  if (runs.length === 0) throw new SvcError('notFound', 'No runs are stored on this machine.');
  throw new SvcError(
    'notFound',
    `No run ${description} that this command can use is stored on this machine.`,
    {
      hint: 'Name a run by its id. The list also has the runs of other profiles.',
      next: ['svc runs list'],
    },
  );
}

/** Runs of the profile whose key is used or, if address and key come from variables or options, of that address. */
function selectedService(context: Context) {
  const profile = context.profile()?.value;
  const target = targetIfAny(context);
  if (target && target.keyFrom.type !== 'profile') {
    const service = hashServiceUrl(target.baseUrl.value);
    return {
      description: `for ${target.baseUrl.value}`,
      includes: (run: RunTarget) => run.profile === null && ['', service].includes(run.service),
    };
  }
  if (profile === undefined) return { description: 'of this machine', includes: () => true };
  return {
    description: `of profile ${profile}`,
    includes: (run: RunTarget) => run.profile === profile,
  };
}

/** Without a service, all runs of the machine count. */
function targetIfAny({ connection }: Context) {
  try {
    return connection.target();
  } catch {
    return undefined;
  }
}
