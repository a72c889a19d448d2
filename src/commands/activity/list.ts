// `svc activity list`
import { channelTypes, severities } from '../../api/schemas/vocabulary.ts';
import type { Context } from '../../app/context.ts';
import { command } from '../../cli/command.ts';
import { flag, integer, listOptions, several, severalOf, text } from '../../cli/options.ts';
import { usageError } from '../../core/errors.ts';
import { readTime } from '../../input/times.ts';
import * as result from '../../output/result.ts';
import { nextPageHint } from '../shared/next-page-hint.ts';
import { withWorkflowSuggestions } from '../shared/with-suggestions.ts';
import { followListing } from './follow.ts';
import { mergedListings } from './merged-listings.ts';
import { activityColumns } from './view.ts';

export const list = command({
  summary: 'List triggered events with their status, newest first',
  options: {
    channel: severalOf(
      '--channel <channel>',
      channelTypes,
      'Only events with a step of this channel',
    ),
    workflow: several('--workflow <workflow-id>', 'Only events of this workflow', {
      complete: 'workflows',
    }),
    email: several('--email <address>', 'Only events for this e-mail address'),
    subscriber: several('--subscriber <subscriber-id>', 'Only events for this subscriber', {
      complete: 'subscribers',
    }),
    severity: severalOf('--severity <severity>', severities, 'Only events of this severity'),
    topic: text('--topic <topic-key>', 'Only events sent through this topic', {
      complete: 'topics',
    }),
    transaction: several('--transaction <id>', 'Only events with this transaction id', {
      complete: 'transactions',
    }),
    context: several('--context <type:id>', 'Only events with exactly these contexts', {
      complete: 'contexts',
    }),
    since: text('--since <2h|ISO>', 'Only events after this time'),
    until: text('--until <2h|ISO>', 'Only events before this time'),
    follow: flag('--follow', 'Keep printing new events, oldest first, until Ctrl-C'),
    search: text('--search <text>', 'Only events whose subscriber matches', { hidden: true }),
    ...listOptions,
    page: integer('--page <n>', 'Start with this page; the first page is 0', {
      min: 0,
      group: 'List options',
    }),
  },
  output:
    'A list of events, one item per subscriber, newest first; with -o ids, their transaction ids without duplicates.',
  examples: [
    { line: 'svc activity list --since 2h', description: 'Show recent events' },
    {
      line: 'svc activity list --subscriber u1 --json',
      description: 'Print the events of one subscriber as JSON',
    },
  ],
  operations: ['listActivity', 'getWorkflow', 'listWorkflows'],
  writes: false,
  async run(context, { options }) {
    const now = context.host.clock.now();
    const toTime = (text: string | undefined, option: string) =>
      text === undefined ? undefined : readTime(text, now, option);
    const query = {
      channels: options.channel,
      emails: options.email,
      subscriberIds: options.subscriber,
      severity: options.severity,
      topicKey: options.topic,
      contextKeys: options.context?.map(contextKey),
      after: toTime(options.since, '--since'),
      before: toTime(options.until, '--until'),
      search: options.search,
      page: options.page,
      templates: await internalIds(context, options.workflow),
    };
    if (options.follow) {
      return result.list({
        pages: followListing(context, { ...query, transactionId: options.transaction }, options),
        columns: activityColumns,
        id: ({ transactionId }) => transactionId,
        empty: 'No events.',
        stream: true,
      });
    }
    const [first, ...others] = options.transaction ?? [];
    return result.list({
      pages:
        others.length > 0 && first !== undefined
          ? mergedListings(context, [first, ...others], query, options)
          : context.pages('listActivity', { query: { ...query, transactionId: first } }, options),
      columns: activityColumns,
      id: ({ transactionId }) => transactionId,
      empty:
        'No events match. Trigger one with `svc events trigger`, or change --since and --until.',
      ...nextPageHint('svc activity list', context, options),
    });
  },
});

/** Resolves identifiers and slugs to internal ids, which the service needs for filtering. */
async function internalIds(context: Context, workflows: readonly string[] | undefined) {
  if (!workflows) return undefined;
  const client = await context.client();
  const internalId = async (workflowId: string) => {
    if (/^[0-9a-f]{24}$/.test(workflowId)) return workflowId;
    const workflow = await withWorkflowSuggestions(context, workflowId, () =>
      client.call('getWorkflow', { path: { workflowId } }),
    );
    return workflow._id;
  };
  return Promise.all(workflows.map(internalId));
}

/** Accepts `tenant=acme` and `tenant:acme`. */
function contextKey(text: string): string {
  const key = text.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${text}\` does not have the form type:id.`);
}
