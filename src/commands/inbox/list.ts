import { command } from '../../cli/command.ts';
import { listOptions, pageOption } from '../../cli/options.ts';
import { shellWord } from '../../core/text.ts';
import * as result from '../../output/result.ts';
import { subscriberArgument } from '../shared/arguments.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import {
  inboxColumns,
  inboxFilters,
  newerInboxFilters,
  notificationPages,
  sinceFilter,
} from './notifications.ts';

export const list = command({
  summary: 'List the in-app notifications of a subscriber, newest first',
  arguments: { subscriberId: subscriberArgument },
  options: { ...inboxFilters, ...newerInboxFilters, ...sinceFilter, ...listOptions, ...pageOption },
  output: 'A list of notifications, newest first; with -o ids, their `_id`.',
  examples: {
    'svc inbox list u1 --unread': 'List unread notifications',
    'svc inbox list u1 --archived --since 7d': 'List what was archived, on a server since 3.15',
    'svc inbox list u1 --all -o ids': 'Print all ids, to pipe to another command',
  },
  operations: ['listInboxNotifications', 'listNotifications'],
  writes: false,
  tool: 'read',
  async run(context, { args: { subscriberId }, options }) {
    return result.list({
      pages: notificationPages(context, subscriberId, options),
      columns: inboxColumns,
      id: ({ _id }) => _id,
      empty: 'No notifications match.',
      next: { 'Trigger an event': `svc events trigger --to ${shellWord(subscriberId)}` },
      ...nextPageHint(`svc inbox list ${shellWord(subscriberId)}`, context, options),
    });
  },
});
