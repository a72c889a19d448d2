import { command } from '../../cli/command.ts';
import { integer } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { listColumns } from './view.ts';

export const list = command({
  summary: 'List bulk runs, newest first',
  options: { limit: integer('--limit <n>', 'List at most the n newest runs', { min: 1 }) },
  output:
    'A list of {runId, command, state, rows, done, failed, startedAt, file, profile, invalid, validateOnly}; with -o ids, runId. failed counts rows that the service rejected or whose outcome is unknown, invalid counts rows that were not sent because they are not valid. file is null for a run from standard input, profile is null for a run without a profile. estimatedRows is the number of rows of the input of a run that stopped early, estimated from its size. A run with --validate-only sends nothing: validateOnly is true, and tables show its state as validated once it has finished.',
  examples: {
    'svc runs list': 'All runs of this machine',
    'svc runs list --jq \'.[] | select(.state == "stopped") | .runId\'':
      'The runs that stopped early',
  },
  writes: false,
  tool: 'read',
  offline: true,
  async run({ host }, { options: { limit } }) {
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const runs = openRunStore(host).list().slice(0, limit);
    return result.list({
      pages: result.onePage(
        runs.map(({ manifest, ...run }) => ({
          runId: run.runId,
          command: run.command,
          state: run.state,
          rows: run.rows,
          ...(run.estimatedRows === undefined ? {} : { estimatedRows: run.estimatedRows }),
          done: run.done,
          failed: run.failed,
          startedAt: run.startedAt,
          file: manifest.file?.path ?? null,
          profile: manifest.profile,
          invalid: run.invalid,
          validateOnly: run.validateOnly,
        })),
      ),
      columns: listColumns,
      id: ({ runId }) => runId,
      ...result.emptyList('runs', {}, { 'Start one': 'svc subscribers bulk-import <file>' }),
    });
  },
});
