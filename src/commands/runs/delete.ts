import { resolveRunId } from '../../bulk/command/resolve-run.ts';
import { command } from '../../cli/command.ts';
import { counted } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';

export const deleteRun = command({
  summary: 'Delete a run with its journal and rejects',
  arguments: { runId: runArgument },
  output: '{deleted, runId}.',
  exitCodes: ['notFound'],
  examples: {
    'svc runs delete last --yes': 'The newest run',
    'svc runs list -o ids | xargs -n 1 svc runs delete --yes': 'All runs',
  },
  writes: false,
  tool: 'write',
  offline: true,
  localOnly: true,
  async run(context, { args }) {
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const runId = resolveRunId(context, store, args.runId);
    const describe = (): string => {
      if (store.isUnstarted(runId)) return `run ${runId}, which never started`;
      const { command: line, state, rows } = store.describe(runId);
      if (state === 'unreadable')
        return `run ${runId} of \`svc ${line}\`, whose journal cannot be read`;
      return `run ${runId} of \`svc ${line}\` with ${counted(rows, 'row')}`;
    };
    const description = describe();
    store.requireUnlocked(runId, 'delete it');
    await context.confirm(`Delete ${description}`);
    // A process that had the run may have ended before its lock is checked again.
    while (!store.removeIf(runId, () => true)) store.requireUnlocked(runId, 'delete it');
    return result.report({
      value: { deleted: true, runId },
      lines: [`Deleted run ${runId}.`],
      ids: [runId],
    });
  },
});
