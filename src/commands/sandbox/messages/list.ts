// `svc sandbox messages list`
import { channelTypes } from '../../../api/schemas/vocabulary.ts';
import { command } from '../../../cli/command.ts';
import { choice, integer, listOptions, text } from '../../../cli/options.ts';
import type { ListPage } from '../../../output/result.ts';
import * as result from '../../../output/result.ts';
import { nextPageHint } from '../../shared/next-page-hint.ts';
import { type Connected, connectSandbox, control, noteMeant } from '../connect.ts';
import { type CapturedMessage, messageColumns, messageId } from './view.ts';

export const list = command({
  summary: 'List captured messages of every channel, newest first',
  options: {
    subscriber: text('--subscriber <subscriber-id>', 'Only messages to this subscriber', {
      complete: 'subscribers',
    }),
    channel: choice('--channel <channel>', channelTypes, 'Only messages of this channel'),
    transaction: text('--transaction <id>', 'Only messages of this transaction', {
      complete: 'transactions',
    }),
    ...listOptions,
    page: integer('--page <n>', 'Start with this page, from 0', { min: 0, group: 'List options' }),
  },
  output: 'A list of messages, newest first; as ids, their `_id`.',
  examples: [
    {
      line: 'svc sandbox messages list --channel email -p sandbox',
      description: 'E-mails that would have gone out',
    },
    {
      line: 'svc sandbox messages list --subscriber u1 --all --json -p sandbox',
      description: 'All that one subscriber got, as data',
    },
  ],
  writes: false,
  async run(context, { options }) {
    const connected = await connectSandbox(context);
    noteMeant(context, connected);
    const filters = {
      subscriberId: options.subscriber,
      channel: options.channel,
      transactionId: options.transaction,
    };
    return result.list({
      pages: pagesOf(connected, filters, options),
      columns: messageColumns,
      id: messageId,
      empty: Object.values(filters).some((value) => value !== undefined)
        ? 'No messages are like that.'
        : 'No messages. `svc events trigger` makes some; those that wait come with the clock.',
      ...nextPageHint('svc sandbox messages list', context, options),
    });
  },
});

interface Range {
  limit?: number;
  all?: boolean;
  pageSize?: number;
  page?: number;
}

interface Page {
  data: CapturedMessage[];
  hasMore: boolean;
  page: number;
}

const largestPage = 100;

async function* pagesOf(
  connected: Connected,
  filters: Record<string, string | undefined>,
  { all, limit = 50, pageSize = largestPage, page: first = 0 }: Range,
): AsyncGenerator<ListPage<CapturedMessage>> {
  let left = all ? Number.POSITIVE_INFINITY : limit;
  const size = Math.min(pageSize, left, largestPage);
  for (let page = first; left > 0; page += 1) {
    const query = new URLSearchParams({ page: String(page), limit: String(size) });
    for (const [name, value] of Object.entries(filters)) if (value) query.set(name, value);
    const answer = (await control(connected, 'GET', `messages?${query}`)) as Page;
    const items = answer.data.slice(0, left);
    left -= items.length;
    const hasMore = answer.hasMore || items.length < answer.data.length;
    yield { items, info: { page, hasMore } };
    if (!answer.hasMore) return;
  }
}
