import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { topicArgument } from '../shared/arguments.ts';
import { readTopic } from '../shared/missing-resources.ts';
import { topicColumns, topicId } from './view.ts';

export const get = command({
  summary: 'Show a topic',
  arguments: { topicKey: topicArgument },
  output: 'The topic.',
  examples: {
    'svc topics get announcements': 'Show topic announcements',
    'svc topics get announcements --jq .name': 'Print only its name',
  },
  operations: ['getTopic', 'listTopics'],
  writes: false,
  tool: 'read',
  async run(context, { args: { topicKey } }) {
    const value = await readTopic(context, topicKey);
    return result.one({ value, fields: topicColumns, id: topicId });
  },
});
