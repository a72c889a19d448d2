// `svc runs show`
import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { runArgument } from '../shared/arguments.ts';
import { resolveRunId } from '../shared/resolve-run.ts';
import { invalidColumn, runColumns } from './view.ts';

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
  tool: 'read',
  offline: true,
  async run(context, { args }) {
    const { openRunStore } = await import('../../bulk/journal/run-store.ts');
    const store = openRunStore(context.host);
    const runId = resolveRunId(context, store, args.runId);
    const { manifest, hasUnpublishedRejects, ...details } = store.read(runId);
    const { options, profile, file, rejects } = manifest;
    const { rejectsFiles } = details;
    const allRejects = rejectsFiles?.join(', ') ?? rejects;
    const hasRejects = details.failed + details.invalid > 0;
    if (details.state === 'stopped')
      context.note(
        file === null
          ? 'The run stopped early. Its input cannot be read again, so it cannot be resumed.'
          : `The run stopped early. To resume it: ${context.followUps.line(`svc runs resume ${runId}`, manifest.profile)}`,
      );
    if (hasUnpublishedRejects)
      context.note(
        `${details.state === 'running' ? 'When the run ends' : 'When the resumed run ends'}, its rejected rows are written to ${manifest.rejects}.`,
      );
    return result.one({
      value: {
        ...details,
        profile,
        args: manifest.args,
        options,
        file,
        rejects: hasRejects ? rejects : null,
        folder: store.folderOf(runId),
      },
      fields: [
        ...(runColumns as never[]),
        invalidColumn as never,
        { field: 'profile', header: 'PROFILE' },
        { field: 'file.path', header: 'FILE' },
        { field: 'counts', header: 'COUNTS' },
        {
          field: 'rejects',
          header: 'REJECTS',
          value: () => (hasRejects ? allRejects : ''),
        },
        { field: 'folder', header: 'FOLDER' },
      ],
      id: (shown) => shown.runId,
    });
  },
});
