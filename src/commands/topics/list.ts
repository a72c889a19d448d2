import { command } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, listOptions, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { topicColumns, topicId } from './view.ts';

export const list = command({
  summary: 'List topics',
  options: {
    key: text('--key <text>', 'Only topics whose key contains this'),
    name: text('--name <text>', 'Only topics whose name contains this'),
    ...listOptions,
    ...cursorOptions,
  },
  output: 'A list of topics; with -o ids, their keys.',
  examples: [
    { line: 'svc topics list', description: 'The newest 50 topics' },
    {
      line: 'svc topics list --name beta --all -o ids',
      description: 'The keys of all topics with beta in their name',
    },
  ],
  operations: ['listTopics'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { key, name } = options;
    const query = { key, name, ...cursorQuery(options) };
    return result.list({
      pages: context.pages('listTopics', { query }, options),
      columns: topicColumns,
      id: topicId,
      empty:
        key === undefined && name === undefined
          ? 'No topics. `svc topics subscribe <topic-key> <subscriber-id> --create` creates one.'
          : 'No topics match.',
      ...nextPageHint('svc topics list', context, options),
    });
  },
});
