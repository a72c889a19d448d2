// `svc runs show`
import path from 'node:path';
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { runColumns } from './view.ts';

export const show = command({
  summary: 'Show a run: command, input, counts and rejects file',
  arguments: { runId: required('<run-id>', 'Id of the run, or last', 'runs') },
  output:
    'The run; as data also its options, the identity of its file, and its summary once it has finished.',
  exitCodes: ['notFound', 'local'],
  examples: [
    { line: 'svc runs show last', description: 'The newest' },
    { line: 'svc runs show last --jq .counts', description: 'Its counts' },
  ],
  writes: false,
  async run({ folders, host, note }, { args }) {
    const { runFolder } = await import('../../bulk/journal/load-run.ts');
    const { resolveRunId, readStoredRun } = await import('../../bulk/journal/run-store.ts');
    const runs = path.join(folders.state, 'runs');
    const folder = runFolder(runs, resolveRunId(runs, args.runId, host));
    const { manifest, ...facts } = readStoredRun(folder, host);
    const { options, profile, file, rejects } = manifest;
    const { rejectsFiles } = facts;
    const allRejects = rejectsFiles?.join(', ') ?? rejects;
    if (facts.state === 'stopped')
      note(`It has not come to its end. Go on: svc runs resume ${facts.runId}`);
    return result.one({
      value: { ...facts, profile, args: manifest.args, options, file, rejects, folder },
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
