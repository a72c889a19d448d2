import { command } from '../../cli/command.ts';
import * as result from '../../output/result.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { channelColumns, subscriberId as idOf, subscriberColumns } from './view.ts';

export const get = command({
  summary: 'Show a subscriber with its channel credentials, which are masked',
  arguments: { subscriberId: subscriberArgument },
  output: 'The subscriber.',
  examples: {
    'svc subscribers get u1': 'Show subscriber u1',
    'svc subscribers get u1 --jq .email': 'Print only the e-mail address',
  },
  operations: ['getSubscriber'],
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId } }) {
    const client = await context.client();
    const value = await client.call('getSubscriber', { path: { subscriberId } });
    const { channels = [] } = value;
    const credentials = {
      title: 'Credentials',
      rows: channels,
      columns: channelColumns as never,
      empty: '',
    };
    return result.one({
      value,
      fields: subscriberColumns,
      parts: channels.length > 0 ? [credentials] : [],
      id: idOf,
    });
  },
});
