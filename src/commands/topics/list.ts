import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, listOptions, text } from '../../cli/options.ts';
import { mapConcurrently } from '../../core/async.ts';
import * as result from '../../output/result.ts';
import type { Topic } from '../../service/schemas/topics.ts';
import { countSubscriptions } from '../shared/missing-resources.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { countedTopicColumns, topicColumns, topicId } from './view.ts';

export const list = command({
  summary: 'List topics',
  options: {
    key: text('--key <text>', 'Only topics whose key contains this'),
    name: text('--name <text>', 'Only topics whose name contains this'),
    ...listOptions,
    ...cursorOptions,
  },
  output:
    'A list of topics; with -o ids, their keys. A table of at most 50 topics has the number of subscriptions as MEMBERS, read with one request for each topic.',
  examples: {
    'svc topics list': 'The newest 50 topics',
    'svc topics list --name beta --all -o ids': 'The keys of all topics with beta in their name',
  },
  operations: ['listTopics', 'listTopicSubscriptions'],
  skipsMissingOperations: true,
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { key, name } = options;
    const query = { key, name, ...cursorQuery(options) };
    const pages = context.pages('listTopics', { query }, options);
    const { outputShape } = await import('../../output/printer.ts');
    const isCounted =
      outputShape(context) === 'table' &&
      context.globals.fields === undefined &&
      !options.all &&
      (options.limit ?? maxCounted) <= maxCounted;
    return result.list({
      pages: isCounted ? withMembers(context, pages) : pages,
      columns: isCounted ? countedTopicColumns : topicColumns,
      id: topicId,
      ...result.emptyList(
        'topics',
        { key, name },
        { 'Create one': 'svc topics subscribe <topic-key> <subscriber-id> --create' },
      ),
      ...nextPageHint('svc topics list', context, options),
    });
  },
});

/** The default of --limit. */
const maxCounted = 50;
const concurrentRequests = 8;

async function* withMembers(
  context: Context,
  pages: AsyncIterable<result.ListPage<Topic>>,
): AsyncGenerator<result.ListPage<Topic & { members?: string }>> {
  const client = await context.client();
  const count = async (topic: Topic) => {
    const members = await countSubscriptions(client, topic.key);
    return members === undefined ? topic : { ...topic, members };
  };
  for await (const { items, ...page } of pages) {
    const counted: (Topic & { members?: string })[] = [];
    for await (const topic of mapConcurrently(items, concurrentRequests, count))
      counted.push(topic);
    yield { ...page, items: counted };
  }
}
