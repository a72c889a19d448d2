// `svc runs show`
import { command } from '../../cli/command.ts';
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
  async run(context, { args }) {
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const runId = store.resolveId(args.runId);
    const { manifest, ...details } = store.read(runId);
    const { options, profile, file, rejects } = manifest;
    const { rejectsFiles } = details;
    const allRejects = rejectsFiles?.join(', ') ?? rejects;
    if (details.state === 'stopped')
      context.note(
        `The run stopped early. To resume it: ${context.followUps.line(`svc runs resume ${runId}`, manifest.profile)}`,
      );
    return result.one({
      value: {
        ...details,
        profile,
        args: manifest.args,
        options,
        file,
        rejects: details.failed > 0 ? rejects : null,
        folder: store.folderOf(runId),
      },
      fields: [
        ...(runColumns as never[]),
        { field: 'profile', header: 'PROFILE' },
        { field: 'file.path', header: 'FILE' },
        { field: 'counts', header: 'COUNTS' },
        {
          field: 'rejects',
          header: 'REJECTS',
          value: () => (details.failed > 0 ? allRejects : ''),
        },
        { field: 'folder', header: 'FOLDER' },
      ],
      id: (shown) => shown.runId,
    });
  },
});
