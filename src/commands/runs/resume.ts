// `svc runs resume`
import path from 'node:path';
import type { Context } from '../../app/context.ts';
import { summaryFields } from '../../bulk/command/options.ts';
import { type Command, command, type Group, isGroup } from '../../cli/command.ts';
import { integer, required, text } from '../../cli/options.ts';
import { localError } from '../../core/errors.ts';

export const resume = command({
  summary: 'Resume a run that ended early',
  details:
    'Rows that were settled are not sent again. A batch that was under way is repeated with the same idempotency key. It goes to the profile that it began with, unless another service is named. File, options, content and environment must be what they were; what has changed is refused by name. --max-errors counts what is rejected from here on. Resuming a finished run prints its summary again.',
  arguments: { runId: required('<run-id>', 'Id of the run, or last', 'runs') },
  options: {
    concurrency: integer('--concurrency <n>', 'Most requests at a time', { min: 1, max: 64 }),
    rate: integer('--rate <n>', 'Max rows per second', { min: 1 }),
    maxErrors: text('--max-errors <n|p%>', 'Stop when more rows than this fail from here on'),
  },
  output: 'The summary of the whole run.',
  exitCodes: ['partial', 'notFound', 'local'],
  examples: [
    { line: 'svc runs resume last', description: 'The newest' },
    {
      line: 'svc runs resume last --concurrency 4 --json',
      description: 'More gently, in a script',
    },
    {
      line: 'svc runs resume last --max-errors 500',
      description: 'After --max-errors has stopped it',
    },
  ],
  fields: summaryFields,
  writes: true,
  defaultProfile: async (context, { args }) => {
    const { readManifest } = await import('../../bulk/journal/manifest.ts');
    const { runFolder } = await import('../../bulk/journal/load-run.ts');
    const { runs, runId } = await named(context, args.runId);
    return readManifest(runFolder(runs, runId)).profile ?? undefined;
  },
  concurrent: true,
  async run(context, { args, options }) {
    const { loadRun } = await import('../../bulk/journal/load-run.ts');
    const { runs, runId } = await named(context, args.runId);
    const { manifest } = loadRun(runs, runId);
    const { commandTree } = await import('../index.ts');
    const [noun = '', ...verbs] = manifest.command.split(' ');
    const found = verbs.reduce<Group | Command | undefined>(
      (node, verb) => (node && isGroup(node) ? node.commands[verb] : undefined),
      await commandTree[noun]?.load(),
    );
    if (!found || isGroup(found)) {
      throw localError(
        `Run ${runId} is of \`svc ${manifest.command}\`, which this version does not have.`,
      );
    }
    const input = {
      args: manifest.args,
      options: { ...manifest.options, ...options, resume: runId },
    };
    return found.run(context, input as never);
  },
});

/** The run that is named, which may be `last`, and the folder of all. */
async function named({ folders, host }: Context, name: string) {
  const { resolveRunId } = await import('../../bulk/journal/run-store.ts');
  const runs = path.join(folders.state, 'runs');
  return { runs, runId: resolveRunId(runs, name, host) };
}
