import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { topicArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';

export const deleteTopic = command({
  summary: 'Delete a topic and its subscriptions; the subscribers are kept',
  arguments: { topicKey: topicArgument },
  output: '{deleted, key}.',
  examples: {
    'svc topics delete empty-topic --yes': 'Delete without confirmation',
    'svc topics delete announcements --dry-run': 'Show the request without sending it',
  },
  fields: ['deleted', 'key'],
  operations: ['deleteTopic', 'listTopics'],
  writes: true,
  async run(context, { args: { topicKey } }) {
    await context.confirm(
      `Delete topic ${topicKey}`,
      'Its subscriptions are deleted too. This cannot be undone.',
    );
    const client = await context.client();
    await withSuggestions(context, 'topic', topicKey, () =>
      client.call('deleteTopic', { path: { topicKey } }),
    );
    return result.report({
      value: { deleted: true, key: topicKey },
      headline: `Deleted topic ${topicKey}`,
      ids: [topicKey],
    });
  },
});
