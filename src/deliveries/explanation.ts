// The explanation that `svc activity explain` prints: of an event for one subscriber, or why it has none.
import { listSome, listText, shellWord } from '../core/text.ts';
import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem, TopicOfEvent } from '../service/schemas/activity.ts';
import { isInactive } from '../service/schemas/vocabulary.ts';
import type { Workflow } from '../service/schemas/workflows.ts';
import { detailText } from './details.ts';
import { isWithoutSteps } from './outcome.ts';
import {
  channelAdjective,
  channelName,
  type FindEvent,
  failuresWithoutMessage,
  type StepVerdict,
  stepVerdicts,
  verdictMessage,
  workflowIdentifier,
} from './verdict.ts';

export interface Subject {
  subscriberId: string;
  item: ActivityItem;
  /** Only the steps of these channels; all if absent. */
  channels?: readonly string[] | undefined;
}

/** Why no event was found. */
export type EventCause =
  | 'transaction_reused'
  | 'workflow_inactive'
  | 'workflow_unknown'
  | 'not_subscribed'
  | 'subscriber_unknown'
  | 'no_steps'
  | 'no_event';

export interface ChannelExplanation {
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  message: string;
  /** Execution details; entries that begin with `now:` are settings of today. */
  evidence: string[];
  next: string[];
}

export interface Explanation {
  transactionId: string | null;
  workflow: string | null;
  at: string | null;
  /** Why no event was found, or the cause of the first channel that did not deliver. */
  cause: ChannelCause | EventCause | null;
  message: string;
  channels: ChannelExplanation[];
}

/** The verdicts of the channels that were asked about. */
export const chosenVerdicts = ({ item, channels }: Subject, findEvent?: FindEvent): StepVerdict[] =>
  stepVerdicts(item, findEvent).filter(({ channel }) => channels?.includes(channel) ?? true);

/** `now` returns the evidence from settings of today. */
export function explainEvent(
  subject: Subject,
  verdicts: readonly StepVerdict[],
  now: (verdict: StepVerdict) => readonly string[],
): Explanation {
  const { item } = subject;
  const channels = verdicts.map((verdict) => ({
    channel: verdict.channel,
    verdict: verdict.verdict,
    cause: verdict.cause,
    message: verdictMessage(verdict),
    evidence: [...listEvidence(item, verdict), ...now(verdict)],
    next: nextCommands(subject, verdict),
  }));
  const first = [...channels, ...failuresWithoutMessage(item)].find(
    ({ verdict }) => verdict !== 'delivered',
  );
  return {
    transactionId: item.transactionId,
    workflow: workflowIdentifier(item) ?? null,
    at: item.createdAt ?? null,
    cause: isWithoutSteps(item) ? 'no_steps' : (first?.cause ?? null),
    message: summary(subject, channels),
    channels,
  };
}

function listEvidence(item: ActivityItem, { detail }: StepVerdict): string[] {
  const time = detail?.createdAt === undefined ? '' : `${detail.createdAt} `;
  return [
    ...(detail ? [`${time}${detailText(detail)}`] : []),
    ...conditionLines(item),
    ...(item.critical === true
      ? ['critical: this workflow ignores preferences and the schedule of subscribers']
      : []),
  ];
}

/** Whether the conditions of the subscriptions of a recipient were met, of which one is enough. */
export const conditionLines = ({ topics }: ActivityItem): string[] =>
  topics?.flatMap(conditionLine) ?? [];

function conditionLine(topic: TopicOfEvent | null): string[] {
  const { result, subscriptionIdentifier, condition } = topic?.preferenceEvaluation ?? {};
  if (condition === undefined || condition === null) return [];
  const met = result === false ? 'was not met' : 'was met';
  return [`the condition of the subscription \`${subscriptionIdentifier}\` ${met}`];
}

const outcomes: Record<StepOutcome, string> = {
  delivered: 'was delivered',
  skipped: 'was skipped',
  failed: 'failed',
  waiting: 'is waiting',
};

function summary({ subscriberId, item }: Subject, channels: readonly ChannelExplanation[]): string {
  const workflow = workflowIdentifier(item) ?? 'the workflow';
  const where = `of ${workflow} for ${subscriberId}`;
  const undelivered = channels.filter(({ verdict }) => verdict !== 'delivered');
  const [first, ...others] = undelivered;
  if (isWithoutSteps(item))
    return `Workflow ${workflow} had no active step, so the event for ${subscriberId} sent nothing.`;
  if ((item.jobs ?? []).length === 0) return `The event ${where} has not been processed yet.`;
  if (channels.length === 0)
    return [
      `The event ${where} has no step that sends a message.`,
      ...failuresWithoutMessage(item).map(verdictMessage),
    ].join(' ');
  if (!first) return `Every message ${where} was delivered.`;
  if (others.length > 0) {
    const hasOneReason = others.every((other) => other.message === first.message);
    const counts = `${channels.length - undelivered.length} of ${channels.length} messages`;
    return `${counts} ${where} were delivered.${hasOneReason ? ` ${first.message}` : ''}`;
  }
  return `The ${channelName(first.channel)} ${where} ${outcomes[first.verdict]}. ${first.message}`;
}

// The commands that show more about a verdict, or fix its cause.

interface Names {
  subscriber: string;
  workflow: string | undefined;
  transaction: string;
  verdict: StepVerdict;
}

const preferences = ({ subscriber }: Names) => [`svc subscribers preferences get ${subscriber}`];
const workflow = (names: Names) =>
  names.workflow === undefined ? timeline(names) : [`svc workflows get ${names.workflow}`];
const timeline = ({ transaction }: Names) => [`svc activity get ${transaction}`];
const follow = ({ transaction }: Names) => [`svc activity get ${transaction} --follow`];
const integrations = () => ['svc integrations list'];

const commands: Record<ChannelCause, (names: Names) => string[]> = {
  workflow_preference: preferences,
  global_preference: preferences,
  workflow_default: workflow,
  schedule: preferences,
  condition: workflow,
  missing_email: ({ subscriber }) => [`svc subscribers update ${subscriber} --email ADDRESS`],
  missing_phone: ({ subscriber }) => [`svc subscribers update ${subscriber} --phone NUMBER`],
  missing_channel: ({ subscriber, verdict: { channel } }) => {
    if (channel === 'tool') return [`svc subscribers channels list ${subscriber}`];
    const values =
      channel === 'push'
        ? '--provider fcm --device-token TOKEN'
        : '--provider slack --webhook-url URL';
    return [`svc subscribers credentials set ${subscriber} ${values}`];
  },
  no_integration: integrations,
  inactive_integration: integrations,
  no_primary_integration: ({ verdict: { integrationId } }) =>
    integrationId === undefined
      ? integrations()
      : [`svc integrations set-primary ${shellWord(integrationId)}`],
  no_active_integration: integrations,
  provider_error: timeline,
  template_error: (names) => [...workflow(names), ...timeline(names)],
  digest_waiting: follow,
  digest_merged: timeline,
  delayed_until: follow,
  canceled: timeline,
  throttled: workflow,
  halted: timeline,
  http_request_failed: (names) => [...workflow(names), ...timeline(names)],
  response_invalid: (names) => [...workflow(names), ...timeline(names)],
};

function nextCommands({ subscriberId, item }: Subject, verdict: StepVerdict): string[] {
  const identifier = workflowIdentifier(item);
  const names: Names = {
    subscriber: shellWord(subscriberId),
    workflow: identifier === undefined ? undefined : shellWord(identifier),
    transaction: shellWord(item.transactionId),
    verdict,
  };
  if (verdict.digest && verdict.verdict !== 'delivered')
    return [
      `svc activity explain ${names.subscriber} --transaction ${shellWord(verdict.digest.transactionId)}`,
    ];
  if (verdict.cause !== null) return commands[verdict.cause](names);
  return verdict.verdict === 'waiting' ? follow(names) : [];
}

// Explains why a subscriber has no matching event.

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
  /** An event of the transaction: that of the subscriber if there is one, which another filter excludes. */
  transactionEvent?: ActivityItem | undefined;
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
    excludedEvent(search) ??
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
  if (!isInactive(workflow)) return undefined;
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

function excludedEvent(search: Search): NoEvent | undefined {
  const { subscriberId, workflowId, channels, topicKey, transactionEvent: event } = search;
  const workflow = event && workflowIdentifier(event);
  const isAsked = event?.subscriber?.subscriberId === subscriberId;
  if (!isAsked || (workflowId !== undefined && workflow !== workflowId)) return undefined;
  const has = (channel: string) => event.jobs?.some(({ type }) => type === channel);
  const why =
    channels && !channels.some(has)
      ? `has no ${listText(channels.map(channelAdjective), 'or')} step`
      : topicKey !== undefined && !topicTransaction(search)
        ? `was not sent through topic \`${topicKey}\``
        : 'is older than --since';
  return {
    cause: 'no_event',
    message: `The event ${event.transactionId} for ${subscriberId} ${why}.`,
    next: [
      `svc activity explain ${shellWord(subscriberId)} --transaction ${shellWord(event.transactionId)}`,
    ],
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
  const hasInactive = inactiveWorkflows.length > 0;
  const inactiveText = hasInactive
    ? ` The service does not run events of inactive workflows: ${listSome(inactiveWorkflows, maxNames)}.`
    : '';
  return {
    cause: 'no_event',
    message: `Subscriber \`${subscriberId}\` has no event${match}.${why}${inactiveText}`,
    next: [
      `svc activity list --subscriber ${shellWord(subscriberId)}`,
      ...(hasInactive ? ['svc workflows list'] : []),
    ],
  };
}
