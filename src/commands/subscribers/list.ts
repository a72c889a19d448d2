import { command } from '../../cli/command.ts';
import { cursorOptions, cursorQuery, listOptions, text } from '../../cli/options.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { subscriberColumns, subscriberId } from './view.ts';

export const list = command({
  summary: 'List subscribers, newest first',
  details: 'Each filter matches part of the text, ignoring case.',
  options: {
    subscriberId: text('--subscriber-id <text>', 'Only subscribers whose id contains this'),
    email: text('--email <text>', 'Only subscribers whose e-mail address contains this'),
    name: text('--name <text>', 'Only subscribers whose first and last name contain this'),
    phone: text('--phone <text>', 'Only subscribers whose phone number contains this'),
    ...listOptions,
    ...cursorOptions,
  },
  output: 'A list of subscribers; with -o ids, their subscriber ids.',
  examples: {
    'svc subscribers list': 'List the newest 50 subscribers',
    'svc subscribers list --email @example.com --all -o ids':
      'Print the ids of everybody with an address in a domain',
  },
  operations: ['listSubscribers'],
  writes: false,
  tool: 'read',
  async run(context, { options }) {
    const { subscriberId: id, email, name, phone } = options;
    const query = { subscriberId: id, email, name, phone, ...cursorQuery(options) };
    return result.list({
      pages: context.pages('listSubscribers', { query }, options),
      columns: subscriberColumns,
      id: subscriberId,
      ...result.emptyList(
        'subscribers',
        { id, email, name, phone },
        {
          'Create one': 'svc subscribers create <subscriber-id>',
          'Import a file': 'svc subscribers bulk-import <file>',
        },
      ),
      ...nextPageHint('svc subscribers list', context, options),
    });
  },
});
