import { command } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, listOptions, text } from '../../cli/options.ts';
import { shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { subscribedTopicColumns } from './view.ts';

export const topics = command({
  summary: 'List the topics of a subscriber',
  arguments: { subscriberId: subscriberArgument },
  options: {
    key: text('--key <topic-key>', 'Only this topic', { complete: 'topics' }),
    ...listOptions,
    ...cursorOptions,
  },
  output: 'A list of subscriptions with their topics; with -o ids, the keys of the topics.',
  examples: {
    'svc subscribers topics u1': 'List the topics of subscriber u1',
    'svc subscribers topics u1 --all -o ids':
      'Print the keys of all topics, to pipe to another command',
  },
  operations: ['listSubscriberTopics'],
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options }) {
    const query = { key: options.key, ...cursorQuery(options) };
    return result.list({
      pages: context.pages('listSubscriberTopics', { path: { subscriberId }, query }, options),
      columns: subscribedTopicColumns,
      id: ({ topic }) => topic.key,
      ...result.emptyList(
        'topics',
        { key: options.key },
        { 'Add to one': `svc topics subscribe <topic-key> ${shellWord(subscriberId)}` },
      ),
      ...nextPageHint(`svc subscribers topics ${shellWord(subscriberId)}`, context, options),
    });
  },
});
