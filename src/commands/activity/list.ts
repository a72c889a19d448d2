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
    topic: text('--topic <topic-key>', 'Only events that reached the subscriber by this topic', {
      complete: 'topics',
    }),
    transaction: several('--transaction <id>', 'Only events of this transaction', {
      complete: 'transactions',
    }),
    context: several('--context <type:id>', 'Only events with exactly these contexts', {
      complete: 'contexts',
    }),
    since: text('--since <2h|ISO>', 'Only events after this moment'),
    until: text('--until <2h|ISO>', 'Only events before this moment'),
    follow: flag('--follow', 'Go on showing what comes, oldest first, until Ctrl-C'),
    search: text('--search <text>', 'Only events whose subscriber matches', { hidden: true }),
    ...listOptions,
    page: integer('--page <n>', 'Start with this page, from 0', { min: 0, group: 'List options' }),
  },
  output:
    'A list of events, one item for each subscriber, newest first; as ids, their transactions, each once.',
  examples: [
    { line: 'svc activity list --since 2h', description: 'What happened of late' },
    {
      line: 'svc activity list --subscriber u1 --json',
      description: 'What one subscriber got, as data',
    },
  ],
  operations: ['listActivity', 'getWorkflow', 'listWorkflows'],
  writes: false,
  async run(context, { options }) {
    const now = context.host.clock.now();
    const moment = (typed: string | undefined, name: string) =>
      typed === undefined ? undefined : readTime(typed, now, name);
    const query = {
      channels: options.channel,
      emails: options.email,
      subscriberIds: options.subscriber,
      severity: options.severity,
      topicKey: options.topic,
      contextKeys: options.context?.map(contextKey),
      after: moment(options.since, '--since'),
      before: moment(options.until, '--until'),
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
    const [only, ...others] = options.transaction ?? [];
    return result.list({
      pages:
        others.length > 0 && only !== undefined
          ? mergedListings(context, [only, ...others], query, options)
          : context.pages('listActivity', { query: { ...query, transactionId: only } }, options),
      columns: activityColumns,
      id: ({ transactionId }) => transactionId,
      empty: 'No events. `svc events trigger` makes one; --since and --until say which are shown.',
      ...nextPageHint('svc activity list', context, options),
    });
  },
});

/** The service filters by internal ids; people know identifiers and slugs. */
async function internalIds(context: Context, workflows: readonly string[] | undefined) {
  if (!workflows) return undefined;
  const client = await context.client();
  const internalId = async (workflowId: string) => {
    if (/^[0-9a-f]{24}$/.test(workflowId)) return workflowId;
    const found = await withWorkflowSuggestions(context, workflowId, () =>
      client.call('getWorkflow', { path: { workflowId } }),
    );
    return found._id;
  };
  return Promise.all(workflows.map(internalId));
}

/** `tenant=acme` and `tenant:acme` mean the same. */
function contextKey(typed: string): string {
  const key = typed.replace(/^([^:=]+)=/, '$1:');
  if (/^[^:]+:.+$/.test(key)) return key;
  throw usageError(`--context: \`${typed}\` is not of the form type:id.`);
}
