// `svc sandbox messages get`
import { command } from '../../../cli/command.ts';
import { required } from '../../../cli/options.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox, noteChosenSandbox } from '../connect.ts';
import { messageFields, messageId } from './view.ts';

export const get = command({
  summary: 'Show a captured message with its recipient and content',
  arguments: { messageId: required('<message-id>', 'Id of the message') },
  output: 'The message: recipient, provider, status and rendered content.',
  exitCodes: ['notFound'],
  examples: [
    {
      line: 'svc sandbox messages get 67748580259aa8ef98259b2b -p sandbox',
      description: 'Show a message',
    },
    {
      line: 'svc sandbox messages get 67748580259aa8ef98259b2b --jq .body -p sandbox',
      description: 'Print only the body of an e-mail',
    },
  ],
  writes: false,
  async run(context, { args }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const value = await callControl(connected, ({ message }) => message(args.messageId));
    return result.one({ value, fields: messageFields, id: messageId });
  },
});
