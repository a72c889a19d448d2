import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { topicArgument } from '../shared/arguments.ts';
import { withSuggestions } from '../shared/missing-resources.ts';
import { topicColumns, topicId } from './view.ts';

export const rename = command({
  summary: 'Rename a topic without changing its key',
  arguments: { topicKey: topicArgument, name: required('<name>', 'The new name') },
  output: 'The renamed topic.',
  examples: {
    'svc topics rename announcements "Product news"': 'Change the name of topic announcements',
    'svc topics rename announcements News --dry-run': 'Show the request without sending it',
  },
  operations: ['renameTopic', 'listTopics'],
  writes: true,
  async run(context, { args: { topicKey, name } }) {
    const client = await context.client();
    const value = await withSuggestions(context, 'topic', topicKey, () =>
      client.call('renameTopic', { path: { topicKey }, body: { name } }),
    );
    const headline = `Renamed topic ${topicKey} to ${name}`;
    return result.one({ value, fields: topicColumns, id: topicId, headline });
  },
});
