import { command } from '../../../cli/command.ts';
import { listOptions, pageOption } from '../../../cli/options.ts';
import { SvcError } from '../../../core/errors.ts';
import * as result from '../../../output/result.ts';
import type { MessageQuery } from '../../../sandbox/control/client.ts';
import { nextPageHint } from '../../shared/next-page-hint.ts';
import { connectSandbox, controlPages, noteChosenSandbox } from '../connect.ts';
import { filterQuery, messageColumns, messageFilters, messageId } from './view.ts';

export const list = command({
  summary: 'List captured messages of every channel, newest first',
  options: { ...messageFilters, ...listOptions, ...pageOption },
  output:
    'A list of messages, newest first; with -o ids, the `_id` of each, which a narrow table leaves out.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox messages list --channel email -p sandbox': 'List captured e-mails',
    'svc sandbox messages list --subscriber u1 --all --json -p sandbox':
      'Print all messages to one subscriber as JSON',
  },
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const filters = filterQuery(options);
    return result.list({
      pages: controlPages(connected, options, async ({ messages }, part) => {
        const page = await messages({ ...part, ...filters });
        const { data, knownWorkflows } = page;
        if (knownWorkflows && part.page === 0 && data.length === 0)
          throw unknownWorkflow(filters.workflow, knownWorkflows);
        return page;
      }),
      columns: messageColumns,
      id: messageId,
      ...result.emptyList('messages', filters, {
        'Trigger an event': 'svc events trigger',
        'Complete delays and digests': 'svc sandbox clock advance <duration>',
      }),
      ...nextPageHint('svc sandbox messages list', context, options),
    });
  },
});

const unknownWorkflow = (workflow: MessageQuery['workflow'], candidates: readonly string[]) =>
  new SvcError('notFound', `Workflow \`${workflow}\` does not exist.`, {
    suggestion: { input: String(workflow), candidates, existing: 'workflows' },
    next: ['svc workflows list'],
  });
