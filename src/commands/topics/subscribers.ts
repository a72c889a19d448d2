import type { Context } from '../../app/context.ts';
import { command, type Values } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, listOptions, text } from '../../cli/options.ts';
import { shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { topicArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { topicSubscriberColumns } from './view.ts';

const options = {
  subscriberId: text('--subscriber-id <id>', 'Only this subscriber', { complete: 'subscribers' }),
  ...listOptions,
  ...cursorOptions,
};

export const subscribers = command({
  summary: 'List the subscribers of a topic',
  arguments: { topicKey: topicArgument },
  options,
  output: 'A list of subscriptions with their subscribers; with -o ids, the subscriber ids.',
  examples: {
    'svc topics subscribers announcements': 'List the subscribers of topic announcements',
    'svc topics subscribers announcements --all -o ids':
      'Print all subscriber ids, to pipe to another command',
  },
  operations: ['listTopicSubscriptions', 'listTopics'],
  writes: false,
  tool: 'read',
  async run(context, { args: { topicKey }, options }) {
    return result.list({
      pages: subscriptionPages(context, topicKey, options),
      columns: topicSubscriberColumns,
      id: ({ subscriber }) => subscriber.subscriberId,
      ...(options.subscriberId === undefined
        ? result.emptyList(
            'subscribers',
            {},
            { 'Add some': `svc topics subscribe ${shellWord(topicKey)} <subscriber-id>` },
          )
        : { empty: 'Not a subscriber.' }),
      ...nextPageHint(`svc topics subscribers ${shellWord(topicKey)}`, context, options),
    });
  },
});

type Options = Partial<Values<typeof options>>;

async function* subscriptionPages(context: Context, topicKey: string, options: Options) {
  const query = { subscriberId: options.subscriberId, ...cursorQuery(options) };
  const pages = context.pages('listTopicSubscriptions', { path: { topicKey }, query }, options);
  const first = await withSuggestions(context, 'topic', topicKey, () => pages.next());
  if (!first.done) yield first.value;
  yield* pages;
}
