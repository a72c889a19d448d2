// `svc runs delete`
import { rmSync } from 'node:fs';
import { command } from '../../cli/command.ts';
import { runsFolder } from '../../config/folders.ts';
import { counted } from '../../core/counts.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';

export const deleteRun = command({
  summary: 'Delete a run with its journal and rejects',
  arguments: { runId: runArgument },
  output: '{deleted, runId}.',
  exitCodes: ['notFound'],
  examples: [
    { line: 'svc runs delete last --yes', description: 'The newest run' },
    { line: 'svc runs list -o ids | xargs -n 1 svc runs delete --yes', description: 'All runs' },
  ],
  writes: false,
  offline: true,
  localOnly: true,
  async run(context, { args }) {
    const { lockedError, findHolder } = await import('../../bulk/journal/lock.ts');
    const { runFolder } = await import('../../bulk/journal/load-run.ts');
    const { isUnstartedRun, describeRun, resolveRunId } = await import(
      '../../bulk/journal/run-store.ts'
    );
    const runs = runsFolder(context.host);
    const runId = resolveRunId(runs, args.runId, context.host);
    const folder = runFolder(runs, runId);
    const describe = (): string => {
      if (isUnstartedRun(folder)) return `run ${runId}, which never started`;
      const { command: line, state, rows } = describeRun(folder, context.host);
      if (state === 'unreadable')
        return `run ${runId} of \`svc ${line}\`, whose journal cannot be read`;
      return `run ${runId} of \`svc ${line}\` with ${counted(rows, 'row')}`;
    };
    const description = describe();
    const holder = findHolder(folder, context.host);
    if (holder) throw lockedError(folder, holder, context.host, 'delete it');
    await context.confirm(`Delete ${description}`);
    rmSync(folder, { recursive: true });
    return result.report({
      value: { deleted: true, runId },
      lines: [`Deleted run ${runId}.`],
      ids: [runId],
    });
  },
});
