import { command } from '../../../cli/command.ts';
import { flag, required } from '../../../cli/options.ts';
import { htmlLines } from '../../../output/html-lines.ts';
import * as result from '../../../output/result.ts';
import { callControl, connectSandbox, noteChosenSandbox } from '../connect.ts';
import { linkColumns, messageFields, messageId } from './view.ts';

export const get = command({
  summary: 'Show a captured message with its recipient and content',
  arguments: { messageId: required('<message-id>', 'Id of the message', { value: 'id' }) },
  options: {
    html: flag('--html', 'Show an e-mail as HTML instead of text'),
    links: flag(
      '--links',
      'List the links in the message instead, such as one to confirm an address',
    ),
  },
  output:
    'The message: recipient, provider, status and rendered content. On a terminal, an e-mail is text with numbered links; other formats have its HTML. With --links, a list of {url, text}; with -o ids, the addresses, and a warning on standard error if a service would not deliver the message.',
  exitCodes: ['notFound'],
  examples: {
    'svc sandbox messages get 67748580259aa8ef98259b2b -p sandbox': 'Show a message',
    'svc sandbox messages get 67748580259aa8ef98259b2b --jq .body -p sandbox':
      'Print only the body of an e-mail',
    'svc sandbox messages get 67748580259aa8ef98259b2b --links -o ids -p sandbox':
      'Print the addresses that an e-mail links to',
  },
  writes: false,
  tool: 'read',
  async run(context, { args, options }) {
    const connected = await connectSandbox(context);
    noteChosenSandbox(context, connected);
    const value = await callControl(connected, ({ message }) => message(args.messageId));
    if (options.links) {
      const { status, errorText = status, missedAddresses } = value;
      const problem = missedAddresses ?? `: ${errorText}`;
      if (status !== 'sent')
        context.warn(
          `A service would not deliver this message${problem.replace(/^not/, '').replace(/\.$/, '')}.`,
        );
      return result.list({
        pages: result.onePage(value.links),
        columns: linkColumns,
        id: ({ url }) => url,
        empty: 'The message has no links.',
      });
    }
    const { channel, body } = value;
    const isHtml = channel === 'email' && options.html !== true;
    return result.one({
      value,
      fields: messageFields,
      parts: [{ title: 'Body', lines: isHtml ? htmlLines(body) : body.split(/\r?\n/) }],
      id: messageId,
    });
  },
});
