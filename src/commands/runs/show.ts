// `svc runs show`
import { command } from '../../cli/command.ts';
import { runsFolder } from '../../config/folders.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';
import { runColumns } from './view.ts';

export const show = command({
  summary: 'Show a run: command, input, counts and rejects file',
  arguments: { runId: runArgument },
  output:
    'The run. As JSON, also its options, the identity of the input file and, if the run has finished, its summary.',
  exitCodes: ['notFound'],
  examples: [
    { line: 'svc runs show last', description: 'The newest run' },
    { line: 'svc runs show last --jq .counts', description: 'The counts of the newest run' },
  ],
  writes: false,
  offline: true,
  async run({ host, note }, { args }) {
    const { runFolder } = await import('../../bulk/journal/load-run.ts');
    const { resolveRunId, readStoredRun } = await import('../../bulk/journal/run-store.ts');
    const runs = runsFolder(host);
    const folder = runFolder(runs, resolveRunId(runs, args.runId, host));
    const { manifest, ...details } = readStoredRun(folder, host);
    const { options, profile, file, rejects } = manifest;
    const { rejectsFiles } = details;
    const allRejects = rejectsFiles?.join(', ') ?? rejects;
    if (details.state === 'stopped')
      note(`The run stopped early. To resume it: svc runs resume ${details.runId}`);
    return result.one({
      value: { ...details, profile, args: manifest.args, options, file, rejects, folder },
      fields: [
        ...(runColumns as never[]),
        { field: 'profile', header: 'PROFILE' },
        { field: 'file.path', header: 'FILE' },
        { field: 'counts', header: 'COUNTS' },
        { field: 'rejects', header: 'REJECTS', value: () => allRejects },
        { field: 'folder', header: 'FOLDER' },
      ],
      id: (shown) => shown.runId,
    });
  },
});
