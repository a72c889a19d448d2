import type { Context } from '../../app/context.ts';
import { skipCanaryOption, summaryFields } from '../../bulk/command/options.ts';
import { resolveRunId } from '../../bulk/command/resolve-run.ts';
import type { Manifest } from '../../bulk/journal/manifest.ts';
import type { RunStore } from '../../bulk/journal/run-store.ts';
import { type Command, command, type Group, isGroup, type Program } from '../../cli/command.ts';
import { integer, text } from '../../cli/options.ts';
import { localError, usageError } from '../../core/errors.ts';
import { runArgument } from '../shared/arguments.ts';

export const resume = command({
  summary: 'Resume a run that stopped early',
  details:
    'Finished rows are not sent again. A batch that was in flight is sent again with the same idempotency key. The run uses the profile that it was started with, unless you select another profile or service. The input, the options and the environment must be unchanged; otherwise the command fails and reports the difference. --max-errors counts only rows that fail after the run was resumed. If the canary stopped the run, svc checks the canary again, and sends the other rows only if it passes. --skip-canary sends them anyway. Resuming a finished run prints its summary again.',
  arguments: { runId: runArgument },
  options: {
    concurrency: integer('--concurrency <n>', 'Max concurrent requests', { min: 1, max: 64 }),
    rate: integer('--rate <n>', 'Max rows per second', { min: 1 }),
    maxErrors: text(
      '--max-errors <n|p%>',
      'Stop if more than n rows, or p% of the rows, fail after the run was resumed',
    ),
    ...skipCanaryOption,
  },
  output: 'The summary of the whole run.',
  exitCodes: ['partial', 'notFound', 'undelivered'],
  examples: {
    'svc runs resume last': 'The newest run',
    'svc runs resume last --concurrency 4 --json': 'With fewer concurrent requests, in a script',
    'svc runs resume last --max-errors 500': 'Continue a run that --max-errors stopped',
  },
  fields: summaryFields,
  writes: true,
  defaultProfile: async (context, { args }) => {
    const store = await openStore(context);
    return store.readManifest(resolveRunId(context, store, args.runId)).profile ?? undefined;
  },
  gracefulShutdown: true,
  async run(context, { args, options }, program) {
    const store = await openStore(context);
    const runId = resolveRunId(context, store, args.runId);
    const { manifest } = store.load(runId);
    if (options.skipCanary && manifest.options.canary === undefined)
      throw noCanaryError(store, runId, manifest);
    const resumed = await commandOfRun(program, manifest);
    // The name of a protected profile is checked for the profile that this command writes to.
    if (resumed.targetProfile)
      throw usageError(`A run of \`svc ${manifest.command}\` cannot be resumed.`, {
        hint: 'Run the command again: its plan contains only the rest.',
      });
    const input = {
      args: manifest.args,
      options: { ...manifest.options, ...options, resume: runId },
      command: manifest.command,
      declaredOptions: resumed.options ?? {},
    };
    return resumed.run(context, input, program);
  },
});

/** Throws a local error if this version does not have the command that started the run. */
export async function commandOfRun({ tree }: Program, { runId, command: name }: Manifest) {
  const [noun = '', ...verbs] = name.split(' ');
  const found = verbs.reduce<Group | Command | undefined>(
    (node, verb) => (node && isGroup(node) ? node.commands[verb] : undefined),
    await tree[noun]?.load(),
  );
  if (found && !isGroup(found)) return found;
  throw localError(
    `Run ${runId} was started by \`svc ${name}\`. This version of svc does not have that command.`,
  );
}

/** Names the newest run of the same profile that stopped and has a canary. */
function noCanaryError(store: RunStore, runId: string, { profile }: Manifest) {
  const other = store
    .list()
    .find(
      ({ state, manifest }) =>
        state === 'stopped' &&
        manifest.profile === profile &&
        manifest.options.canary !== undefined,
    );
  return usageError(`Run ${runId} has no canary, so --skip-canary does not apply.`, {
    next: other ? [`svc runs resume ${other.runId} --skip-canary`] : ['svc runs list'],
  });
}

const openStore = async (context: Context) =>
  (await import('../../bulk/journal/run-store.ts')).openRunStore(context.host);
