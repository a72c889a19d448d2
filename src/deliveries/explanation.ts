// The explanation of an event for one subscriber: what the command prints.
import { shellWord } from '../core/text.ts';
import type { ChannelCause, StepOutcome } from '../service/job-outcomes.ts';
import type { ActivityItem, TopicOfEvent } from '../service/schemas/activity.ts';
import { detailText, type EventCause } from './causes.ts';
import { channelName, verdictMessage } from './messages.ts';
import { isWithoutSteps } from './outcome.ts';
import {
  type FindEvent,
  failuresWithoutMessage,
  type StepVerdict,
  type Subject,
  stepVerdicts,
  workflowIdentifier,
} from './verdict.ts';

export interface ChannelExplanation {
  channel: string;
  verdict: StepOutcome;
  cause: ChannelCause | null;
  message: string;
  /** Execution details; entries that begin with `now:` are settings of today. */
  evidence: string[];
  /** Commands to run next. */
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
  (topics ?? []).flatMap(conditionLine);

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
  missing_channel: ({ subscriber, verdict }) => [
    verdict.channel === 'push'
      ? `svc subscribers credentials set ${subscriber} --provider fcm --device-token TOKEN`
      : `svc subscribers credentials set ${subscriber} --provider slack --webhook-url URL`,
  ],
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
