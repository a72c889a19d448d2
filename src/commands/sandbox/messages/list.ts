import { command } from '../../../cli/command.ts';
import { listOptions, pageOption } from '../../../cli/options.ts';
import { SvcError } from '../../../core/errors.ts';
import type { ListPage } from '../../../output/result.ts';
import * as result from '../../../output/result.ts';
import type { CapturedMessage, MessageQuery } from '../../../sandbox/control/client.ts';
import { nextPageHint } from '../../shared/next-page-hint.ts';
import {
  type ConnectedSandbox,
  callControl,
  connectSandbox,
  noteChosenSandbox,
} from '../connect.ts';
import { filterQuery, messageColumns, messageFilters, messageId } from './view.ts';

export const list = command({
  summary: 'List captured messages of every channel, newest first',
  options: { ...messageFilters, ...listOptions, ...pageOption },
  output:
    'A list of messages, newest first; with -o ids, the `_id` of each, which a narrow table leaves out.',
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox messages list --channel email -p sandbox',
      description: 'List captured e-mails',
    },
    {
      line: 'svc sandbox messages list --subscriber u1 --all --json -p sandbox',
      description: 'Print all messages to one subscriber as JSON',
    },
  ],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const filters = filterQuery(options);
    return result.list({
      pages: fetchPages(connected, filters, options),
      columns: messageColumns,
      id: messageId,
      empty: Object.values(filters).some((value) => value !== undefined)
        ? 'No messages match.'
        : 'No messages. Trigger an event with `svc events trigger`; complete delays and digests with `svc sandbox clock advance`.',
      ...nextPageHint('svc sandbox messages list', context, options),
    });
  },
});

interface PageOptions {
  limit?: number;
  all?: boolean;
  pageSize?: number;
  page?: number;
}

const maxPageSize = 100;

async function* fetchPages(
  connected: ConnectedSandbox,
  filters: MessageQuery,
  { all, limit = 50, pageSize = maxPageSize, page: first = 0 }: PageOptions,
): AsyncGenerator<ListPage<CapturedMessage>> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  const size = Math.min(pageSize, left, maxPageSize);
  for (let page = first; left > 0; page += 1) {
    const response = await callControl(connected, ({ messages }) =>
      messages({ page, limit: size, ...filters }),
    );
    if (response.knownWorkflows && page === 0 && response.data.length === 0)
      throw unknownWorkflow(filters.workflow, response.knownWorkflows);
    const items = response.data.slice(0, left);
    left -= items.length;
    const hasMore = response.hasMore || items.length < response.data.length;
    yield { items, info: { page, hasMore } };
    if (!response.hasMore) return;
  }
}

const unknownWorkflow = (workflow: MessageQuery['workflow'], candidates: readonly string[]) =>
  new SvcError('notFound', `Workflow \`${workflow}\` does not exist.`, {
    suggestion: { input: String(workflow), candidates, existing: 'workflows' },
    next: ['svc workflows list'],
  });
