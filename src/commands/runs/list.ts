// `svc runs list`
import path from 'node:path';
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { runColumns } from './view.ts';

export const list = command({
  summary: 'List bulk runs, newest first',
  output: 'A list of {runId, command, state, rows, done, failed, startedAt}; as ids, runId.',
  examples: [
    { line: 'svc runs list', description: 'What ran here' },
    {
      line: 'svc runs list --jq \'.[] | select(.state == "stopped") | .runId\'',
      description: 'What can go on',
    },
  ],
  writes: false,
  async run({ folders, host }) {
    const { listStoredRuns } = await import('../../bulk/journal/run-store.ts');
    const runs = listStoredRuns(path.join(folders.state, 'runs'), host);
    return result.list({
      pages: result.onePage(
        runs.map(({ runId, command: line, state, rows, done, failed, startedAt }) => ({
          runId,
          command: line,
          state,
          rows,
          done,
          failed,
          startedAt,
        })),
      ),
      columns: runColumns,
      id: ({ runId }) => runId,
      empty: 'No runs yet. `svc subscribers bulk-import <file>` makes one.',
    });
  },
});
