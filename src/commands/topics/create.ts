import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { required, text } from '../../cli/options.ts';
import { ifExists } from '../../core/errors.ts';
import * as result from '../../output/result.ts';
import { topicColumns, topicId } from './view.ts';

export const create = command({
  summary: 'Create a topic without subscribers, or rename an existing one',
  details:
    'The service accepts a key that exists and renames the topic if a name is given. svc checks first and says whether the topic existed.',
  arguments: { topicKey: required('<topic-key>', 'Key of the topic', { value: 'id' }) },
  unexpected: 'Pass the name with --name.',
  options: { name: text('--name <text>', 'Name of the topic') },
  output: 'The topic.',
  examples: {
    'svc topics create launch --name "Product launch"': 'Create topic launch',
    'svc topics create launch --dry-run': 'Show the request only',
  },
  operations: ['createTopic', 'getTopic'],
  writes: true,
  async run(context, { args: { topicKey: key }, options: { name } }) {
    const client = await context.client();
    const wasThere = (await findTopic(context, key)) !== undefined;
    const body = { key, ...(name === undefined ? {} : { name }) };
    const created = await client.call('createTopic', { body });
    // For an existing topic the service returns the old name.
    const value = (wasThere ? await findTopic(context, key) : undefined) ?? created;
    const rename = name === undefined ? '' : ` and has the name ${name}`;
    const headline = wasThere ? `Topic ${key} already existed${rename}` : `Created topic ${key}`;
    return result.one({ value, fields: topicColumns, id: topicId, headline });
  },
});

async function findTopic(context: Context, topicKey: string) {
  return ifExists(context.call('getTopic', { path: { topicKey } }));
}
