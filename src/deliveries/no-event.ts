// Explains why a subscriber has no matching event.
import { listText, shellWord } from '../core/text.ts';
import type { ActivityItem } from '../service/schemas/activity.ts';
import type { Workflow } from '../service/schemas/workflows.ts';
import type { EventCause } from './causes.ts';
import { channelAdjective } from './messages.ts';
import { workflowIdentifier } from './verdict.ts';

/** The question and the facts that were read. */
export interface Search {
  subscriberId: string;
  channels?: readonly string[] | undefined;
  workflowId?: string | undefined;
  topicKey?: string | undefined;
  transactionId?: string | undefined;
  /** The workflow; null if it does not exist. */
  workflow?: Workflow | null | undefined;
  /** Workflow ids or topic keys that are similar to the unknown one. */
  similar?: readonly string[] | undefined;
  isSubscriberKnown?: boolean | undefined;
  /** Workflows whose events the service does not run. */
  inactiveWorkflows?: readonly string[] | undefined;
  /** An event of the transaction, for another subscriber or workflow. */
  transactionEvent?: ActivityItem | undefined;
  /** Whether the topic exists. */
  isTopicKnown?: boolean | undefined;
  /** An event to the topic, for another subscriber. */
  topicEvent?: ActivityItem | undefined;
  /** Whether the subscriber is subscribed to the topic now; undefined if the server does not say. */
  isSubscribed?: boolean | undefined;
}

export interface NoEvent {
  cause: EventCause;
  message: string;
  next: string[];
}

/** The first reason that applies, from the most to the least specific. */
export function explainNoEvent(search: Search): NoEvent {
  return (
    workflowProblem(search) ??
    unknownSubscriber(search) ??
    missingSubscription(search) ??
    reusedTransaction(search) ??
    noEvent(search)
  );
}

function workflowProblem({ workflowId, workflow, similar = [] }: Search): NoEvent | undefined {
  if (workflowId === undefined || workflow === undefined) return undefined;
  if (workflow === null) {
    return {
      cause: 'workflow_unknown',
      message: `Workflow \`${workflowId}\` does not exist, so the service rejects its events.${didYouMean(similar)}`,
      next: ['svc workflows list'],
    };
  }
  if (workflow.active !== false && workflow.status !== 'INACTIVE') return undefined;
  return {
    cause: 'workflow_inactive',
    message: `Workflow \`${workflowId}\` is inactive, so the service does not run its events.`,
    next: [`svc workflows get ${shellWord(workflowId)}`],
  };
}

const didYouMean = ([closest]: readonly string[]) =>
  closest === undefined ? '' : ` Did you mean \`${closest}\`?`;

function unknownSubscriber({ subscriberId, isSubscriberKnown }: Search): NoEvent | undefined {
  if (isSubscriberKnown !== false) return undefined;
  return {
    cause: 'subscriber_unknown',
    message: `Subscriber \`${subscriberId}\` does not exist, so no event was triggered for this id.`,
    next: ['svc subscribers list'],
  };
}

function missingSubscription(search: Search): NoEvent | undefined {
  const { subscriberId, topicKey, isTopicKnown, isSubscribed, similar = [] } = search;
  const event = search.topicEvent ?? topicTransaction(search);
  const topic = topicKey ?? event?.topics?.[0]?.topicKey;
  if (topic === undefined) return undefined;
  const next = [`svc topics subscribe ${shellWord(topic)} ${shellWord(subscriberId)}`];
  if (isTopicKnown === false) {
    return {
      cause: 'not_subscribed',
      message: `Topic \`${topic}\` does not exist, so it has no subscribers.${didYouMean(similar)}`,
      next: ['svc topics list'],
    };
  }
  const now = isSubscribed === undefined ? '' : ` now: ${isSubscribed ? '' : 'not '}subscribed.`;
  if (event)
    return {
      cause: 'not_subscribed',
      message: `The event ${event.transactionId} to topic \`${topic}\` had no recipient \`${subscriberId}\`: the subscriber was not subscribed${isSubscribed ? ', or a condition of the subscription was not met' : ''}.${now}`,
      next,
    };
  if (isSubscribed !== false) return undefined;
  return {
    cause: 'not_subscribed',
    message: `Subscriber \`${subscriberId}\` is not subscribed to topic \`${topic}\`.`,
    next,
  };
}

/** The event of the transaction, if it was sent to a topic. */
const topicTransaction = ({ transactionEvent: event, topicKey }: Search) =>
  event?.topics?.some((topic) => topicKey === undefined || topic.topicKey === topicKey)
    ? event
    : undefined;

function reusedTransaction({ subscriberId, transactionEvent }: Search): NoEvent | undefined {
  if (!transactionEvent) return undefined;
  const { transactionId, createdAt, subscriber } = transactionEvent;
  const workflow = workflowIdentifier(transactionEvent);
  const of = workflow === undefined ? '' : ` of ${workflow}`;
  const to = subscriber ? ` for ${subscriber.subscriberId}` : '';
  const at = createdAt === undefined ? '' : ` at ${createdAt}`;
  return {
    cause: 'transaction_reused',
    message: `Transaction ${transactionId} belongs to an event${of}${to}${at}. The service drops later events with the same transaction id, also those for ${subscriberId}.`,
    next: [`svc activity get ${shellWord(transactionId)}`],
  };
}

const maxNames = 5;

function noEvent({
  subscriberId,
  workflowId,
  topicKey,
  transactionId,
  channels,
  workflow,
  inactiveWorkflows = [],
}: Search): NoEvent {
  const missing = channels?.filter(
    (channel) => workflow && !workflow.steps?.some(({ type }) => type === channel),
  );
  const filters = [
    ...(workflowId === undefined ? [] : [`workflow ${workflowId}`]),
    ...(topicKey === undefined ? [] : [`topic ${topicKey}`]),
    ...(transactionId === undefined ? [] : [`transaction ${transactionId}`]),
  ];
  const match = filters.length === 0 ? '' : ` with ${filters.join(', ')}`;
  const why =
    missing && missing.length > 0
      ? ` The workflow has no ${listText(missing.map(channelAdjective), 'or')} step.`
      : ' It was not triggered, is older than the retention period of the plan, or was triggered a moment ago.';
  const inactive = inactiveWorkflows.slice(0, maxNames);
  if (inactiveWorkflows.length > maxNames)
    inactive.push(`${inactiveWorkflows.length - maxNames} others`);
  const inactiveText =
    inactive.length === 0
      ? ''
      : ` The service does not run events of inactive workflows: ${listText(inactive)}.`;
  return {
    cause: 'no_event',
    message: `Subscriber \`${subscriberId}\` has no event${match}.${why}${inactiveText}`,
    next: [
      `svc activity list --subscriber ${shellWord(subscriberId)}`,
      ...(inactive.length === 0 ? [] : ['svc workflows list']),
    ],
  };
}
