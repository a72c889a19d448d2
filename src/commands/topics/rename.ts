// `svc topics rename`
import { command } from '../../cli/command.ts';
import { required } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { withTopicSuggestions } from '../shared/with-suggestions.ts';
import { topicColumns, topicId } from './view.ts';

export const rename = command({
  summary: 'Rename a topic; its key stays',
  arguments: {
    topicKey: required('<topic-key>', 'Key of the topic', 'topics'),
    name: required('<name>', 'The new name'),
  },
  output: 'The topic as it is now.',
  examples: [
    { line: 'svc topics rename announcements "Product news"', description: 'A better name' },
    { line: 'svc topics rename announcements News --dry-run', description: 'What would be sent' },
  ],
  operations: ['renameTopic', 'listTopics'],
  writes: true,
  async run(context, { args: { topicKey, name } }) {
    const client = await context.client();
    const value = await withTopicSuggestions(context, topicKey, () =>
      client.call('renameTopic', { path: { topicKey }, body: { name } }),
    );
    const headline = `Renamed topic ${topicKey} to ${name}`;
    return result.one({ value, fields: topicColumns, id: topicId, headline });
  },
});
