// The filters that the commands of activity share, and the query that they make.

import type { Context } from '../../app/context.ts';
import type { Values } from '../../cli/option.ts';
import { several, severalOf, text } from '../../cli/options.ts';
import { isDuration, readTime } from '../../input/times.ts';
import { readContextKey } from '../../input/values.ts';
import { isObjectId } from '../../service/rules/formats.ts';
import { allChannels, severities } from '../../service/schemas/vocabulary.ts';
import { readWorkflow } from '../shared/with-suggestions.ts';
import { createServiceTime } from './service-time.ts';

export const activityFilters = {
  channel: severalOf('--channel <channel>', allChannels, 'Only events with a step of this channel'),
  workflow: several('--workflow <workflow-id>', 'Only events of this workflow', {
    complete: 'workflows',
  }),
  email: several('--email <address>', 'Only events for this e-mail address'),
  subscriber: several('--subscriber <subscriber-id>', 'Only events for this subscriber', {
    complete: 'subscribers',
  }),
  severity: severalOf('--severity <severity>', severities, 'Only events of this severity'),
  topic: text('--topic <topic-key>', 'Only events sent through this topic', { complete: 'topics' }),
  subscription: text(
    '--subscription <identifier>',
    'Only events sent through this subscription to a topic; servers since 3.12',
  ),
  transaction: several('--transaction <id>', 'Only events with this transaction id', {
    complete: 'transactions',
  }),
  context: several('--context <type:id>', 'Only events with exactly these contexts', {
    complete: 'contexts',
  }),
  since: text('--since <2h|ISO>', 'Only events after this time'),
  until: text('--until <2h|ISO>', 'Only events before this time'),
  search: text(
    '--search <text>',
    'Only events for subscribers with this id, or with this text in the e-mail address; deprecated by the service',
    { hidden: true },
  ),
};

export type ActivityFilters = Partial<Values<typeof activityFilters>>;

/** The query of all filters but `--transaction`: some servers accept only one transaction id. */
export async function activityQuery(
  context: Context,
  options: ActivityFilters,
  serviceTime = createServiceTime(context),
) {
  const after = await resolveTime(options.since, '--since', serviceTime);
  const before = await resolveTime(options.until, '--until', serviceTime);
  return {
    channels: options.channel,
    emails: options.email,
    subscriberIds: options.subscriber,
    severity: options.severity,
    topicKey: options.topic,
    subscriptionId: options.subscription,
    contextKeys: options.context?.map(readContextKey),
    after,
    before,
    search: options.search,
    templates: await internalIds(context, options.workflow),
  };
}

/** The ISO time of an option. Only a duration needs the time of the service. */
export const resolveTime = async (
  text: string | undefined,
  option: string,
  serviceTime: () => Promise<number>,
): Promise<string | undefined> =>
  text === undefined
    ? undefined
    : readTime(text, isDuration(text) ? await serviceTime() : 0, option);

/** Resolves identifiers and slugs to internal ids, which the service needs for filtering. */
async function internalIds(context: Context, workflows: readonly string[] | undefined) {
  if (!workflows) return undefined;
  const internalId = async (workflowId: string) =>
    isObjectId(workflowId) ? workflowId : (await readWorkflow(context, workflowId))._id;
  return Promise.all(workflows.map(internalId));
}
